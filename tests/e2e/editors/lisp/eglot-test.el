;;; eglot-test.el --- SynConfRoute in Eglot, without a screen  -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'eglot)
(require 'session)

(add-to-list 'eglot-server-programs `((python-mode python-ts-mode) . ,session-command))
(setq eglot-sync-connect 60)

(ert-deftest completion-at-point-inserts-the-text ()
  "One candidate, and exactly its text behind the word that it goes on from."
  (with-current-buffer (find-file-noselect (expand-file-name "eglot.py" (getenv "WORKSPACE")))
    (set-window-buffer nil (current-buffer))
    (insert "größe = '𝒳数' + one_end\n")
    (backward-char)
    (save-buffer)
    (python-mode)
    (apply #'eglot--connect (eglot--guess-contact))
    (should (eglot-managed-p))
    (completion-at-point)
    (should (equal (buffer-string) "größe = '𝒳数' + one_end + 1\n"))
    (let ((digest (eglot-execute (eglot-current-server)
                                 `(:command "synconfroute.digest"
                                   :arguments [,(eglot-path-to-uri buffer-file-name)])))
          (text (buffer-substring-no-properties (point-min) (point-max))))
      (should (equal (plist-get digest :sha256)
                     (secure-hash 'sha256 (encode-coding-string text 'utf-8)))))))

;;; eglot-test.el ends here
