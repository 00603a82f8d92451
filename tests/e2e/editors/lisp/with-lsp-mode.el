;;; with-lsp-mode.el --- What a user of lsp-mode writes  -*- lexical-binding: t; -*-

;;; Code:

(require 'session)
(setq lsp-session-file (expand-file-name "lsp-session" (getenv "HOME"))
      lsp-enable-suggest-server-download nil
      lsp-enable-file-watchers nil
      lsp-enable-snippet nil
      lsp-client-packages nil
      lsp-diagnostics-provider :none
      lsp-restart 'ignore)
(load "lsp-mode-autoloads" nil 'quiet)  ; as the package manager does
(require 'synconfroute)
(setq synconfroute-command session-command
      synconfroute-settings '((limits . ((lines . "multi")))))
(lsp-workspace-folders-add (getenv "WORKSPACE"))
(add-hook 'python-mode-hook #'synconfroute-enable)

(defun session-grey-text ()
  "The text that is shown and not there, or nil."
  (when lsp-inline-completion--overlay
    (substring-no-properties (overlay-get lsp-inline-completion--overlay 'after-string))))

(defun session-line-and-grey-text ()
  "The cursor's line up to the cursor, and the grey text."
  (let ((place (if lsp-inline-completion--overlay lsp-inline-completion--start-point (point))))
    (vector (buffer-substring-no-properties (pos-bol) place) (session-grey-text))))

(defun session-digest ()
  "What the server says of its copy of this buffer."
  (synconfroute--ask "synconfroute.digest" (lsp--buffer-uri)))

(provide 'with-lsp-mode)
;;; with-lsp-mode.el ends here
