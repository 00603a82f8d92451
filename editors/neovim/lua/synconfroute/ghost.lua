-- Two things that Neovim 0.12 does not do with a completion that it shows: take it away where the
-- user types something else, and ask for the next one at once.
--
-- Neovim offers no way to do either, so this changes its own object of a buffer
-- (vim.lsp.inline_completion). Where that looks different from 0.12's, it is left as it is:
-- completions work, but one may stand behind a wrong key until the next answer.

local typed = require('synconfroute.typed')

local M = {}

---@return table? kind Neovim's class of what shows completions
local function class()
  local found, capability = pcall(require, 'vim.lsp._capability')
  local kind = found and type(capability) == 'table' and (capability.all or {}).inline_completion
  for _, name in ipairs({ 'handler', 'show', 'automatic_request', 'reset_timer', 'request' }) do
    if not kind or type(kind[name]) ~= 'function' then
      return nil
    end
  end
  return type(kind.active) == 'table' and kind or nil
end

---@param buf integer
---@return table? completor
local function completor_of(buf)
  local kind = class()
  return kind and kind.active[buf]
end

---Has the cursor gone back behind the place that an answer was asked for? Its range may lie beyond
---the line's end then, and would be taken for the end.
---@param context lsp.HandlerContext
---@return boolean
local function gone_back(context)
  local asked = context.params and context.params.position
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not asked or not client then
    return false
  end
  local now = vim.lsp.util.make_position_params(0, client.offset_encoding).position
  return now.line ~= asked.line or now.character < asked.character
end

---Does this session end? Neovim asks it all the same, and would log its refusal as an error.
---@param client_id integer
---@return boolean
local function ends(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  return not client or client:is_stopped()
end

---Is Neovim's own object as this module knows it?
---@return boolean
function M.known()
  return class() ~= nil
end

---Hide what no longer fits where Neovim's object shows completions, and ask after `debounce_ms`.
---@param completor table
---@param debounce_ms integer
local function change(completor, debounce_ms)
  local handler, show = completor.handler, completor.show

  function completor:handler(err, result, context)
    local unwanted = err and ends(context.client_id) or not err and gone_back(context)
    if not unwanted then
      handler(self, err, result, context)
    end
  end

  function completor:show(hint)
    local item = self.current
    if item and type(item.insert_text) == 'string' and not typed.rest(item, self.bufnr) then
      self.current = nil
    end
    show(self, hint)
  end

  function completor:automatic_request()
    self:show()
    self:reset_timer()
    self.timer = vim.defer_fn(function()
      self:request(vim.lsp.protocol.InlineCompletionTriggerKind.Automatic)
    end, debounce_ms)
  end
end

---Hide what no longer fits in a buffer, and ask after `debounce_ms` instead of 200 ms. Who types
---there already while the session begins is answered without another key.
---@param buf integer
---@param debounce_ms integer
function M.follow(buf, debounce_ms)
  local completor = completor_of(buf)
  if not completor then
    return
  end
  if not rawget(completor, 'show') then
    change(completor, debounce_ms)
  end
  if buf == vim.api.nvim_get_current_buf() and vim.startswith(vim.fn.mode(), 'i') then
    completor:automatic_request()
  end
end

---Show a completion again, of which a part was taken.
---@param buf integer
---@param item vim.lsp.inline_completion.Item
function M.keep(buf, item)
  local completor = completor_of(buf)
  if completor then
    completor.current = item
    completor:show()
  end
end

---Ask for completions now, as the user wishes it.
---@param buf integer
---@return boolean asked
function M.ask(buf)
  local completor = completor_of(buf)
  if not completor then
    return false
  end
  completor:reset_timer()
  completor:request(vim.lsp.protocol.InlineCompletionTriggerKind.Invoked)
  return true
end

return M
