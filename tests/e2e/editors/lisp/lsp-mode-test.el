;;; lsp-mode-test.el --- SynConfRoute in lsp-mode, without a screen  -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'with-lsp-mode)

(defconst test-seconds 60 "What should come at once is waited for so long.")

(defvar test-files 0 "So many files were made.")

(defmacro test-with-code (code &rest body)
  "Run BODY in a file that holds CODE, the cursor where CODE has a |, until the server knows it."
  (declare (indent 1))
  `(let ((buffer (find-file-noselect
                  (expand-file-name (format "code%d.py" (setq test-files (1+ test-files)))
                                    (getenv "WORKSPACE")))))
     (unwind-protect
         (with-current-buffer buffer
           (set-window-buffer nil buffer)
           (lsp)  ; without a screen nothing is ever idle, and nothing deferred comes
           (test-until (lambda () (and synconfroute-mode
                                  (eq (lsp--workspace-status (synconfroute--workspace))
                                      'initialized))))
           (insert ,code)
           (search-backward "|")
           (delete-char 1)
           ,@body)
       (with-current-buffer buffer (set-buffer-modified-p nil))
       (kill-buffer buffer))))

(defun test-until (condition)
  "Wait until CONDITION holds; fail if it does not in time."
  (let ((deadline (+ (float-time) test-seconds)))
    (while (not (funcall condition))
      (should (< (float-time) deadline))
      (accept-process-output nil 0.02))))

(defun test-agreement ()
  "The server's copy of this buffer is this buffer."
  (let ((digest (session-digest))
        (text (buffer-substring-no-properties (point-min) (point-max))))
    (should (equal (gethash "characters" digest) (length text)))
    (should (equal (gethash "sha256" digest)
                   (secure-hash 'sha256 (encode-coding-string text 'utf-8))))))

(ert-deftest shown-and-accepted-at-the-end-of-a-line ()
  "Grey text appears, the buffer is unchanged; accepting inserts exactly that text."
  (test-with-code "total = one_end|\nafter = 1\n"
    (synconfroute-complete)
    (should (equal (session-grey-text) " + 1"))
    (should (eq 'lsp-inline-completion-overlay-face
                (get-text-property
                 0 'face (overlay-get lsp-inline-completion--overlay 'after-string))))
    (should (equal (buffer-string) "total = one_end\nafter = 1\n"))
    (lsp-inline-completion-accept)
    (should-not (session-grey-text))
    (should (equal (buffer-string) "total = one_end + 1\nafter = 1\n"))
    (should (looking-at "\nafter"))
    (test-agreement)))

(ert-deftest inside-brackets ()
  "What stands right of the cursor stays there."
  (test-with-code "value = call(|)\n"
    (synconfroute-complete)
    (should (equal (session-grey-text) "1, 2"))
    (lsp-inline-completion-accept)
    (should (equal (buffer-string) "value = call(1, 2)\n"))
    (should (looking-at ")"))
    (test-agreement)))

(ert-deftest behind-characters-of-many-bytes ()
  "Characters beyond the basic plane shift nothing."
  (test-with-code "größe = '𝒳数' + one_end|  # naïve 𝒳\n"
    (synconfroute-complete)
    (should (equal (session-grey-text) " + 1"))
    (lsp-inline-completion-accept)
    (should (equal (buffer-string) "größe = '𝒳数' + one_end + 1  # naïve 𝒳\n"))
    (test-agreement)))

(ert-deftest part-by-part ()
  "A word, then another, then the rest, each taken by its own key."
  (test-with-code "text = words_end|\n"
    (synconfroute-complete)
    (should (equal (session-grey-text) " + alpha.beta(gamma)"))
    (synconfroute-accept-word)
    (should (equal (buffer-string) "text = words_end + alpha\n"))
    (synconfroute-complete)
    (should (equal (session-grey-text) ".beta(gamma)"))
    (synconfroute-accept-line)
    (should (equal (buffer-string) "text = words_end + alpha.beta(gamma)\n"))
    (test-agreement)))

(ert-deftest typing-on ()
  "A key takes the grey text away, and the next completion is for the new line."
  (test-with-code "total = one_end|\n"
    (synconfroute-complete)
    (should (session-grey-text))
    (let ((this-command 'self-insert-command) (last-command-event ?s))
      (run-hooks 'pre-command-hook)
      (self-insert-command 1))
    (should-not (session-grey-text))
    (insert "um_")
    (synconfroute-complete)
    (should (string-match-p "\\`_[0-9a-f]\\{8\\}\\'" (session-grey-text)))
    (lsp-inline-completion-cancel)
    (should (equal (buffer-string) "total = one_endsum_\n"))
    (test-agreement)))

(ert-deftest why-and-status ()
  "The last decision and the mode line are told in words."
  (test-with-code "total = one_end|\n"
    (synconfroute-complete)
    (should (stringp (gethash "message" (synconfroute--ask "synconfroute.why" (lsp--buffer-uri)))))
    (test-until (lambda () (equal (gethash "tier" (or synconfroute--status (ht-create))) "local")))
    (should (string-search "SCR:local" (format "%s" (synconfroute--lighter))))
    (should-not (string= (synconfroute--sentence) ""))))

(ert-deftest off-and-on ()
  "Nothing is shown while it is off."
  (test-with-code "total = one_end|\n"
    (synconfroute-toggle)
    (synconfroute-complete)
    (should-not (session-grey-text))
    (synconfroute-toggle)
    (synconfroute-complete)
    (should (equal (session-grey-text) " + 1"))))

(ert-deftest several-lines ()
  "All lines are inserted as they are."
  (test-with-code "def tell(names):|\n"
    (synconfroute-complete)
    (should (equal (session-grey-text) "\n    for name in names:\n        print(\"Hello,\", name)"))
    (synconfroute-accept-line)
    (should (equal (buffer-string) "def tell(names):\n    for name in names:\n"))
    (synconfroute-complete)
    (lsp-inline-completion-accept)
    (should (equal (buffer-string)
                   "def tell(names):\n    for name in names:\n        print(\"Hello,\", name)\n"))
    (test-agreement)))

(ert-deftest a-killed-server-comes-back ()
  "Completions come as before, for the text as it is now."
  (test-with-code "total = one_end|\n"
    (let ((before (synconfroute--workspace)))
      (signal-process (lsp--workspace-cmd-proc before) 'KILL)
      (test-until (lambda () (not (synconfroute--workspace))))
      (lsp)
      (test-until (lambda () (and (synconfroute--workspace)
                                  (eq (lsp--workspace-status (synconfroute--workspace))
                                      'initialized))))
      (should-not (eq (synconfroute--workspace) before))
      (insert " + one_end")
      (synconfroute-complete)
      (should (equal (session-grey-text) " + 1"))
      (lsp-inline-completion-accept)
      (should (equal (buffer-string) "total = one_end + one_end + 1\n"))
      (test-agreement))))

;;; lsp-mode-test.el ends here
