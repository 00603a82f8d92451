-- SynConfRoute in Neovim: private, local-first code completion.

local client = require('synconfroute.client')
local options = require('synconfroute.options')

local M = {}

M.accept = require('synconfroute.accept').whole
M.accept_word = require('synconfroute.accept').word
M.accept_line = require('synconfroute.accept').line
M.status = require('synconfroute.status').text

---Completions as grey text, from Neovim 0.12 on; before that in the completion menu.
---@param buf integer
---@param client_id integer
local function show_in(buf, client_id)
  if vim.lsp.inline_completion then
    vim.lsp.inline_completion.enable(true, { bufnr = buf })
    -- A buffer that an earlier session had turned on gets Neovim's object only in the next turn.
    vim.schedule(vim.schedule_wrap(function()
      require('synconfroute.ghost').follow(buf, options.current.debounce_ms)
    end))
  else
    require('synconfroute.menu').offer(buf, client_id)
  end
end

---@return vim.lsp.Config
local function config()
  return {
    cmd = options.current.cmd,
    filetypes = options.current.filetypes,
    settings = { synconfroute = options.current.settings },
    init_options = vim.tbl_extend('force', options.current.settings, {
      status = true,
      client = { name = 'synconfroute-neovim', version = require('synconfroute.version') },
    }),
    handlers = {
      ['didChangeStatus'] = function(_, params, context)
        require('synconfroute.status').changed(params, context.client_id)
      end,
    },
    on_exit = function(code, signal, client_id)
      vim.schedule(function()
        require('synconfroute.status').forget(client_id)
        if options.current.restart then
          require('synconfroute.restart').ended(code, signal)
        end
      end)
    end,
  }
end

---Start SynConfRoute in this Neovim. Options: `:help synconfroute-options`.
---@param given? table
function M.setup(given)
  options.set(given)
  vim.api.nvim_create_autocmd('LspAttach', {
    group = vim.api.nvim_create_augroup('synconfroute', {}),
    callback = function(event)
      local attached = vim.lsp.get_client_by_id(event.data.client_id)
      if attached and attached.name == client.name then
        show_in(event.buf, attached.id)
      end
    end,
  })
  if options.current.keys and vim.lsp.inline_completion then
    require('synconfroute.keys').map(options.current.keys)
  end
  vim.lsp.config(client.name, config())
  local program = vim.lsp.config[client.name].cmd[1]
  if vim.fn.executable(program) == 0 then
    client.say(
      program .. ' was not found, so nothing is completed: see `:checkhealth synconfroute`.',
      vim.log.levels.WARN
    )
    return
  end
  vim.lsp.enable(client.name)
end

---Change settings of the server that runs; they hold until Neovim ends.
---@param settings table as in docs/configuration.md
function M.configure(settings)
  options.current.settings = vim.tbl_deep_extend('force', options.current.settings, settings)
  vim.lsp.config(client.name, config())
  for _, running in ipairs(vim.lsp.get_clients({ name = client.name })) do
    running.settings = { synconfroute = options.current.settings }
    running:notify('workspace/didChangeConfiguration', { settings = running.settings })
  end
end

return M
