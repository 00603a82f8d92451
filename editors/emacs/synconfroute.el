;;; synconfroute.el --- Private, local-first code completion  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (lsp-mode "10.0.0"))
;; Keywords: convenience, languages, tools
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; SynConfRoute as a client of lsp-mode, beside the language's own server:
;;
;;   (require 'synconfroute)
;;   (add-hook 'prog-mode-hook #'synconfroute-enable)
;;
;; While you type, a completion appears in grey.  TAB takes it, M-f its next word, M-e its next
;; line, anything else goes on as usual.  `M-x synconfroute-why' says how it was made.

;;; Code:

(require 'lsp-mode)
(require 'lsp-inline-completion)
(require 'seq)

(defconst synconfroute-version "0.1.0"
  "The version of this file; the server says so where it does not fit its own.")

(defgroup synconfroute nil
  "Private, local-first code completion."
  :group 'lsp-mode)

(defcustom synconfroute-command '("synconfroute" "serve")
  "The language server's program and its arguments."
  :type '(repeat string)
  :risky t)

(defcustom synconfroute-languages
  '("python" "java" "cpp" "c" "javascript" "javascriptreact" "typescript" "typescriptreact"
    "go" "rust" "csharp" "ruby" "php" "kotlin" "shellscript")
  "Language ids, as in `lsp-language-id-configuration', that are completed."
  :type '(repeat string))

(defcustom synconfroute-settings nil
  "Settings for the server, an alist of sections, such as
\((limits . ((lines . \"multi\")))).  All keys: docs/configuration.md.
They are sent when the server starts."
  :type '(alist :key-type symbol :value-type (alist :key-type symbol :value-type sexp))
  :risky t)

(defcustom synconfroute-delay 0.1
  "Seconds without a key before a completion is asked for.
nil: only when you ask for one, by `synconfroute-complete'."
  :type '(choice number (const :tag "Only when asked" nil)))

(defvar synconfroute--tiers
  '(("local" . "local") ("org" . "org") ("escalating" . "org…") ("off" . "off")
    ("error" . "error") ("loading" . "loading"))
  "What the mode line says, by the server's word.")

(defvar synconfroute--status nil
  "The last status that a server sent, a hash table; nil before the first.")

(defvar-local synconfroute--timer nil
  "Waits for a pause in typing.")

;;;; The server

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection (lambda () synconfroute-command))
  :activation-fn (lambda (_file _mode) (synconfroute--wanted-p))
  :server-id 'synconfroute
  :add-on? t
  :priority -2
  :initialization-options #'synconfroute--options
  :notification-handlers (lsp-ht ("didChangeStatus" #'synconfroute--on-status))
  :action-handlers (lsp-ht ("synconfroute.accept" #'synconfroute--accepted))))

(defun synconfroute--options ()
  "What the server is told at its start."
  `((status . t)
    (client . ((name . "synconfroute-emacs") (version . ,synconfroute-version)))
    ,@synconfroute-settings))

(defun synconfroute--wanted-p ()
  "Is this buffer's language completed?"
  (let (lsp-warn-no-matched-clients)
    (member (lsp-buffer-language) synconfroute-languages)))

(defun synconfroute--workspace ()
  "This buffer's session with the server, or nil."
  (seq-find (lambda (workspace)
              (eq (lsp--client-server-id (lsp--workspace-client workspace)) 'synconfroute))
            (lsp-workspaces)))

(defun synconfroute--ask (command &rest arguments)
  "The server's answer to COMMAND with ARGUMENTS, a hash table."
  (let ((workspace (or (synconfroute--workspace)
                       (user-error "SynConfRoute does not run here: M-x synconfroute-enable"))))
    (with-lsp-workspace workspace
      (lsp-request "workspace/executeCommand"
                   (list :command command :arguments (vconcat arguments))))))

;;;###autoload
(defun synconfroute-enable ()
  "Complete in this buffer, if it visits a file in one of `synconfroute-languages'.
The language's own server, if lsp-mode knows one, starts too."
  (interactive)
  (when (and buffer-file-name (synconfroute--wanted-p))
    (lsp-deferred)))

;;;; While typing

(define-minor-mode synconfroute-mode
  "Completions appear while you type; on by itself where the server runs."
  :lighter (:eval (synconfroute--lighter))
  (remove-hook 'after-change-functions #'synconfroute--after-change t)
  (synconfroute--stop-waiting)
  (when synconfroute-mode
    ;; lsp-mode's own mode waits twice, for `lsp-idle-delay' and then again.
    (setq-local lsp-inline-completion-enable nil)
    (lsp-inline-completion-mode -1)
    (add-hook 'after-change-functions #'synconfroute--after-change nil t)))

(defun synconfroute--after-open ()
  "Turn the mode on where the server runs."
  (when (synconfroute--workspace)
    (synconfroute-mode 1)))

(add-hook 'lsp-after-open-hook #'synconfroute--after-open)

(defun synconfroute--after-change (&rest _)
  "Ask once nothing is typed for a moment."
  (synconfroute--stop-waiting)
  (when synconfroute-delay
    (setq synconfroute--timer
          (run-with-idle-timer synconfroute-delay nil #'synconfroute--show (current-buffer)))))

(defun synconfroute--stop-waiting ()
  "Ask no more for what was typed so far."
  (when synconfroute--timer
    (cancel-timer synconfroute--timer)
    (setq synconfroute--timer nil)))

(defun synconfroute--show (buffer)
  "Show a completion in BUFFER, unless something else is going on there."
  (when (and (eq buffer (current-buffer))
             (synconfroute--workspace)
             (not (or buffer-read-only (region-active-p) completion-in-region-mode
                      executing-kbd-macro (minibufferp)))
             (not (seq-some #'funcall lsp-inline-completion-inhibit-predicates)))
    (lsp-inline-completion-display 'implicit)))

;;;; Taking it

(let ((map lsp-inline-completion-active-map))
  (lsp-inline-completion--define-key map (kbd "TAB") #'lsp-inline-completion-accept 'keep)
  (lsp-inline-completion--define-key map (kbd "M-f") #'synconfroute-accept-word 'keep)
  (lsp-inline-completion--define-key map (kbd "M-e") #'synconfroute-accept-line 'keep)
  (lsp-inline-completion--define-key map (kbd "M-n") #'lsp-inline-completion-next 'keep)
  (lsp-inline-completion--define-key map (kbd "M-p") #'lsp-inline-completion-prev 'keep)
  ;; Here a completion is shown at most places: these keys must go on to move the cursor.
  (define-key map (kbd "C-n") nil)
  (define-key map (kbd "C-p") nil))

(defun synconfroute-accept-word ()
  "Take the shown completion's next word."
  (interactive)
  (synconfroute--accept-part "\\`[^[:word:]]*[[:word:]_]+"))

(defun synconfroute-accept-line ()
  "Take the shown completion's next line."
  (interactive)
  (synconfroute--accept-part "\\`\n*[^\n]+"))

(defun synconfroute--accept-part (pattern)
  "Take what PATTERN matches of the shown completion; the rest is shown anew."
  (let* ((item (elt lsp-inline-completion--items lsp-inline-completion--current))
         (text (lsp:inline-completion-item-insert-text item))
         (part (if (string-match pattern text) (match-string 0 text) text)))
    (if (string= part text)
        (lsp-inline-completion-accept)
      (lsp-inline-completion-cancel)
      (insert part)
      (synconfroute--tell "textDocument/didPartiallyAcceptCompletion"
                          `(:item ,item :acceptedLength ,(synconfroute--utf-16-length part))))))

(defun synconfroute--utf-16-length (text)
  "How many UTF-16 units TEXT has."
  (/ (string-bytes (encode-coding-string text 'utf-16le)) 2))

(defun synconfroute--tell (method parameters)
  "Send the server the notification METHOD with PARAMETERS."
  (when-let ((workspace (synconfroute--workspace)))
    (with-lsp-workspace workspace
      (lsp-notify method parameters))))

(defun synconfroute--accepted (action)
  "Tell our server, and no other, of the accepted item's ACTION, without waiting."
  (when-let ((workspace (synconfroute--workspace)))
    (with-lsp-workspace workspace
      (lsp-request-async "workspace/executeCommand"
                         (list :command (lsp:command-command action)
                               :arguments (lsp:command-arguments? action))
                         #'ignore :mode 'detached :error-handler #'ignore))))

;;;; The mode line

(defun synconfroute--on-status (_workspace status)
  "Keep STATUS for the mode line."
  (setq synconfroute--status status)
  (force-mode-line-update t))

(defun synconfroute--lighter ()
  "What the mode line says: who completes now, and why when the mouse rests on it."
  (let ((tier (and synconfroute--status (gethash "tier" synconfroute--status))))
    (list " "
          (propertize (concat "SCR:" (or (cdr (assoc tier synconfroute--tiers)) "…"))
                      'help-echo (synconfroute--sentence)))))

(defun synconfroute--sentence ()
  "What the server said last of its state and its last decision."
  (if synconfroute--status
      (string-join (seq-remove (lambda (part) (member part '(nil "")))
                               (list (gethash "message" synconfroute--status)
                                     (gethash "detail" synconfroute--status)))
                   "\n")
    "The server has not said anything yet."))

;;;; Commands

(defun synconfroute-complete ()
  "Ask for a completion here and now."
  (interactive)
  (lsp-inline-completion-display))

(defun synconfroute-toggle ()
  "Turn completions in this buffer's session off or on."
  (interactive)
  (let ((answer (synconfroute--ask "synconfroute.toggle" (lsp--buffer-uri))))
    (message "SynConfRoute is %s." (if (eq (gethash "enabled" answer) t) "on" "off"))))

(defun synconfroute-snooze (minutes)
  "Turn completions off for MINUTES, the prefix argument or ten."
  (interactive (list (if current-prefix-arg (prefix-numeric-value current-prefix-arg) 10)))
  (let ((answer (synconfroute--ask "synconfroute.snooze" minutes)))
    (message "SynConfRoute is off until %s." (gethash "until" answer))))

(defun synconfroute-why ()
  "Say how the last completion came to be, or why there was none."
  (interactive)
  (message "%s" (gethash "message" (synconfroute--ask "synconfroute.why" (lsp--buffer-uri)))))

(defun synconfroute-doctor ()
  "Show what works, what does not, and what mends it."
  (interactive)
  (let ((answer (synconfroute--ask "synconfroute.doctor")))
    (with-current-buffer-window "*SynConfRoute doctor*" nil nil
      (insert (gethash "report" answer)))))

(provide 'synconfroute)
;;; synconfroute.el ends here
