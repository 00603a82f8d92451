-- What Neovim needs to start the language server; `vim.lsp.enable('synconfroute')` uses it.

---@type vim.lsp.Config
return {
  cmd = { 'synconfroute', 'serve' },
  -- The languages whose completions a parser checks. Others are completed too, unchecked.
  filetypes = {
    'bash',
    'c',
    'cpp',
    'cs',
    'go',
    'java',
    'javascript',
    'javascriptreact',
    'kotlin',
    'php',
    'python',
    'ruby',
    'rust',
    'sh',
    'typescript',
    'typescriptreact',
  },
  root_markers = { '.git' },
}
