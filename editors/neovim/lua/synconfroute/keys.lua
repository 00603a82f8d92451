-- Keys of insert mode. Where no completion is shown, a key does what it did before.

local accept = require('synconfroute.accept')
local ghost = require('synconfroute.ghost')

local M = {}

local function next_one()
  vim.lsp.inline_completion.select()
  return true
end

local function ask()
  return ghost.ask(vim.api.nvim_get_current_buf())
end

---@type table<string, { run: (fun(): boolean), desc: string }>
local actions = {
  accept = { run = accept.whole, desc = 'Take the completion' },
  accept_word = { run = accept.word, desc = 'Take the next word of the completion' },
  accept_line = { run = accept.line, desc = 'Take the next line of the completion' },
  next = { run = next_one, desc = 'Show another completion' },
  ask = { run = ask, desc = 'Ask for completions now' },
}

---What a key does without a completion: what it was mapped to by a function, else the key itself.
---@param key string
---@return fun(): string?
local function otherwise(key)
  local before = vim.fn.maparg(key, 'i', false, true)
  if before.callback and before.expr == 1 then
    return before.callback
  end
  return function()
    return key
  end
end

---Map the keys.
---@param keys synconfroute.Keys
function M.map(keys)
  for name, action in pairs(actions) do
    local key = keys[name]
    if key then
      local instead = otherwise(key)
      vim.keymap.set('i', key, function()
        if not action.run() then
          return instead()
        end
      end, { expr = true, desc = action.desc })
    end
  end
end

return M
