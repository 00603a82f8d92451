-- `:Synconfroute why|doctor|toggle|snooze|ledger|stats|restart`

local client = require('synconfroute.client')

local M = {}

---@param title string
---@param text string
local function show_text(title, text)
  vim.cmd('botright new')
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(vim.trim(text), '\n', { plain = true }))
  vim.bo[buf].modifiable = false
  vim.api.nvim_buf_set_name(buf, ('synconfroute://%s/%d'):format(title, buf))
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, desc = 'Close' })
end

---The status comes before the result of the command that changed it.
local function say_whether_on()
  local status = require('synconfroute.status').of()
  client.say(status and status.tier == 'off' and status.message or 'Completions are on.')
end

---@type table<string, fun(arguments: string[])>
local subcommands = {
  why = function()
    client.execute('synconfroute.why', { vim.uri_from_bufnr(0) }, function(result)
      client.say(result.message)
    end)
  end,
  doctor = function()
    client.execute('synconfroute.doctor', {}, function(result)
      show_text('doctor', result.report)
    end)
  end,
  toggle = function()
    client.execute('synconfroute.toggle', {}, say_whether_on)
  end,
  snooze = function(arguments)
    client.execute('synconfroute.snooze', { tonumber(arguments[1]) }, say_whether_on)
  end,
  ledger = function()
    client.execute('synconfroute.ledger', {}, function(result)
      vim.cmd.tabedit(vim.fn.fnameescape(result.path))
    end)
  end,
  stats = function()
    local command = vim.lsp.config.synconfroute.cmd
    vim.system({ command[1], 'stats' }, { text = true }, function(done)
      vim.schedule(function()
        show_text('stats', done.code == 0 and done.stdout or done.stderr)
      end)
    end)
  end,
  restart = function()
    require('synconfroute.restart').now()
  end,
}

---Run `:Synconfroute NAME ARGUMENTS`.
---@param arguments string[]
function M.run(arguments)
  local run = subcommands[arguments[1]]
  if not run then
    client.say(
      ':Synconfroute takes one of ' .. table.concat(M.names(), ', ') .. '.',
      vim.log.levels.ERROR
    )
    return
  end
  run(vim.list_slice(arguments, 2))
end

---The names of all subcommands, in order.
---@return string[]
function M.names()
  local names = vim.tbl_keys(subcommands)
  table.sort(names)
  return names
end

return M
