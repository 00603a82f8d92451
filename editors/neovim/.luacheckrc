std = "luajit"
read_globals = { "vim" }
max_line_length = 100
files["plugin"].globals = { "vim" }
files["lua"].globals = { "vim" }
