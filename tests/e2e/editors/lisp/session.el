;;; session.el --- Settings of an Emacs under test  -*- lexical-binding: t; -*-

;;; Commentary:

;; Nothing that asks, downloads or keeps files, and a way for a test to ask.  The environment names
;; COMMAND, the server's words as a JSON list; WORKSPACE, the folder to open; HOME, an empty one.

;;; Code:

(require 'json)

(setq inhibit-startup-screen t
      make-backup-files nil
      auto-save-default nil
      create-lockfiles nil
      ring-bell-function #'ignore
      python-indent-guess-indent-offset nil
      python-indent-guess-indent-offset-verbose nil)

(defconst session-command (append (json-parse-string (getenv "COMMAND")) nil)
  "What starts our server.")

(defun session-answer (connection question)
  "Send the value of the expression QUESTION back over CONNECTION, as JSON."
  (process-send-string connection
                       (concat (json-encode (eval (car (read-from-string question)) t)) "\n")))

(defun session-listen ()
  "Let a test ask: one expression a line, at the port in HOME/port."
  (let ((server (make-network-process :name "questions" :server t :host 'local :service t
                                      :coding 'utf-8 :noquery t :filter #'session-answer)))
    (write-region (number-to-string (process-contact server :service)) nil
                  (expand-file-name "port" (getenv "HOME")) nil 'quiet)))

(provide 'session)
;;; session.el ends here
