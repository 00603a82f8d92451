-- Starts the server again: where the user asks for it, and where it ended by itself.

local client = require('synconfroute.client')

local M = {}

local MOST = 3
local WITHIN_MS = 3 * 60 * 1000
local POLL_MS = 50

---@type integer[] when it was started again, in ms
local restarts = {}

local function start()
  vim.lsp.enable(client.name)
end

---Ends the sessions that run and starts them again, in all buffers.
function M.now()
  vim.lsp.enable(client.name, false)
  local timer = assert(vim.uv.new_timer())
  timer:start(
    POLL_MS,
    POLL_MS,
    vim.schedule_wrap(function()
      if timer:is_closing() or #vim.lsp.get_clients({ name = client.name }) > 0 then
        return
      end
      timer:close()
      start()
    end)
  )
end

---The server's process has ended. Starts it again, unless it was asked to end or ends too often.
---@param code integer
---@param signal integer
function M.ended(code, signal)
  if vim.v.exiting ~= vim.NIL or not vim.lsp.is_enabled(client.name) then
    return
  end
  if code == 0 and signal == 0 then
    return
  end
  local now = vim.uv.now()
  restarts = vim.tbl_filter(function(at)
    return now - at < WITHIN_MS
  end, restarts)
  if #restarts >= MOST then
    client.say(
      'SynConfRoute ended three times within three minutes; `:Synconfroute restart` starts it,'
        .. ' `:checkhealth synconfroute` says more.',
      vim.log.levels.WARN
    )
    return
  end
  table.insert(restarts, now)
  -- Only once Neovim has forgotten the session that ended does it start another.
  vim.defer_fn(start, POLL_MS)
end

return M
