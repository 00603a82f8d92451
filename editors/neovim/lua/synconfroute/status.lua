-- What the server is doing, for a status line.

local M = {}

---What the notification `didChangeStatus` carries.
---@class synconfroute.Status
---@field busy boolean
---@field kind 'Normal'|'Warning'|'Error'|'Inactive'
---@field message string
---@field tier 'local'|'org'|'escalating'|'off'|'error'|'loading'
---@field detail string one sentence on the last decision

---@type table<integer, synconfroute.Status>
local of_client = {}

---The last status of a buffer's session.
---@param buf? integer
---@return synconfroute.Status?
function M.of(buf)
  local client = vim.lsp.get_clients({ name = 'synconfroute', bufnr = buf or 0 })[1]
  return client and of_client[client.id]
end

---A few characters for a status line; "" where the server does not run.
---@return string
function M.text()
  local status = M.of()
  if not status then
    return ''
  end
  return 'scr:' .. status.tier .. (status.busy and '…' or '')
end

---Handler of `didChangeStatus`.
---@param params synconfroute.Status
---@param client_id integer
function M.changed(params, client_id)
  of_client[client_id] = params
  vim.api.nvim_exec_autocmds('User', { pattern = 'SynconfrouteStatus', data = params })
  vim.cmd.redrawstatus({ bang = true })
end

---Forget a session that ended.
---@param client_id integer
function M.forget(client_id)
  of_client[client_id] = nil
end

return M
