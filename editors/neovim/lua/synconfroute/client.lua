-- The language server's session with this Neovim.

local M = {}

M.name = 'synconfroute'

---The session of a buffer, or any if that has none.
---@param buf? integer
---@return vim.lsp.Client?
function M.of(buf)
  return vim.lsp.get_clients({ name = M.name, bufnr = buf or 0 })[1]
    or vim.lsp.get_clients({ name = M.name })[1]
end

---Tell the user one sentence.
---@param sentence string
---@param level? integer of `vim.log.levels`
function M.say(sentence, level)
  vim.notify(sentence, level or vim.log.levels.INFO, { title = 'SynConfRoute' })
end

---Run a command of the server; what is wrong is said to the user.
---@param command string
---@param arguments any[]
---@param on_result fun(result: any)
function M.execute(command, arguments, on_result)
  local client = M.of()
  if not client then
    M.say('SynConfRoute does not run here: see `:checkhealth synconfroute`.', vim.log.levels.WARN)
    return
  end
  local params = { command = command, arguments = arguments }
  client:request('workspace/executeCommand', params, function(err, result)
    if err then
      M.say(err.message, vim.log.levels.ERROR)
    else
      on_result(result)
    end
  end)
end

return M
