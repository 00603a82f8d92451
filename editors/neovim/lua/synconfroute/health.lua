-- `:checkhealth synconfroute`

local client = require('synconfroute.client')

local M = {}

local DOCTOR_MS = 60000

local function check_neovim()
  local version = vim.version()
  local name = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if not vim.lsp.config then
    vim.health.error(name .. ' is too old.', 'Take Neovim 0.12 or newer.')
  elseif not vim.lsp.inline_completion then
    vim.health.warn(
      name .. ' has no inline completion: completions come in the completion menu.',
      'Take Neovim 0.12 or newer.'
    )
  elseif not require('synconfroute.ghost').known() then
    vim.health.warn(
      name
        .. ' is newer than this plugin knows: completions work, but one may stand behind a wrong'
        .. ' key until the next answer.',
      'Update the plugin.'
    )
  elseif version.minor ~= 12 or version.major ~= 0 then
    vim.health.ok(name .. ' has inline completion; tested was 0.12.')
  else
    vim.health.ok(name .. ' has inline completion.')
  end
end

---@param theirs string
local function compare_versions(theirs)
  local ours = require('synconfroute.version')
  local said = ('Server %s, plugin %s'):format(theirs, ours)
  if theirs:match('^%d+%.%d+') == ours:match('^%d+%.%d+') then
    vim.health.ok(said .. '.')
  else
    vim.health.warn(said .. ': they may not fit.', 'Update the older one.')
  end
end

---@return boolean there
local function check_program()
  local command = vim.lsp.config.synconfroute.cmd
  if vim.fn.executable(command[1]) == 0 then
    vim.health.error(('%s was not found.'):format(command[1]), {
      'Install it: `uv tool install synconfroute` or `pipx install synconfroute`.',
      "Or name it: require('synconfroute').setup({ cmd = { '/path/to/synconfroute', 'serve' } })",
    })
    return false
  end
  vim.health.ok('The server is started by `' .. table.concat(command, ' ') .. '`.')
  return true
end

---@param session vim.lsp.Client
local function check_doctor(session)
  local params = { command = 'synconfroute.doctor', arguments = {} }
  local answer = session:request_sync('workspace/executeCommand', params, DOCTOR_MS)
  local result = answer and answer.result
  if not result then
    vim.health.warn('The server did not answer in time.', 'Try `:Synconfroute restart`.')
    return
  end
  local report = vim.trim(result.report)
  if result.ok then
    vim.health.ok('The doctor is content:\n' .. report)
  else
    vim.health.error('The doctor is not content:\n' .. report)
  end
end

---Run by `:checkhealth`.
function M.check()
  vim.health.start('SynConfRoute')
  check_neovim()
  if not vim.lsp.config or not check_program() then
    return
  end
  local session = client.of()
  if not session or not session.initialized then
    vim.health.warn('The server does not run.', {
      'Open a file of a language that it completes.',
      "Is there a `require('synconfroute').setup()`?",
    })
    return
  end
  compare_versions((session.server_info or {}).version or 'unknown')
  local status = require('synconfroute.status').of()
  if status then
    vim.health.info(('Status: %s. %s'):format(status.tier, status.detail))
  end
  check_doctor(session)
end

return M
