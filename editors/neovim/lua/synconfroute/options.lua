-- What `setup` takes, and what holds where nothing is given.

---@class synconfroute.Keys
---@field accept string|false takes the whole completion
---@field accept_word string|false takes its next word
---@field accept_line string|false takes its next line
---@field next string|false shows another one, where there are several
---@field ask string|false asks for completions now

---@class synconfroute.Options
---@field cmd string[]|nil the server's command line; nil: `synconfroute serve`
---@field filetypes string[]|nil where it completes; nil: the languages that a parser checks
---@field settings table the server's settings, as in docs/configuration.md
---@field keys synconfroute.Keys|false keys of insert mode; false: map none
---@field debounce_ms integer wait for the next key before asking, in ms; 200 is Neovim's own
---@field restart boolean start the server again where it ends by itself, three times at most

local M = {}

---@type synconfroute.Options
local defaults = {
  settings = {},
  keys = {
    accept = '<Tab>',
    accept_word = '<M-Right>',
    accept_line = '<M-Down>',
    next = '<M-]>',
    ask = '<M-\\>',
  },
  debounce_ms = 5,
  restart = true,
}

---@type synconfroute.Options
M.current = vim.deepcopy(defaults)

---Take the user's options. Raises an error that names a wrong one.
---@param given? table
function M.set(given)
  given = given or {}
  vim.validate('cmd', given.cmd, 'table', true)
  vim.validate('filetypes', given.filetypes, 'table', true)
  vim.validate('settings', given.settings, 'table', true)
  vim.validate('keys', given.keys, { 'table', 'boolean' }, true)
  vim.validate('debounce_ms', given.debounce_ms, 'number', true)
  vim.validate('restart', given.restart, 'boolean', true)
  M.current = vim.tbl_deep_extend('force', vim.deepcopy(defaults), given)
end

return M
