-- `:Synconfroute`; the rest is loaded when it is used.

if vim.g.loaded_synconfroute then
  return
end
vim.g.loaded_synconfroute = true

vim.api.nvim_create_user_command('Synconfroute', function(command)
  require('synconfroute.command').run(command.fargs)
end, {
  nargs = '+',
  desc = 'SynConfRoute: why, doctor, toggle, snooze, ledger, stats, restart',
  complete = function(lead)
    return vim.tbl_filter(function(name)
      return vim.startswith(name, lead)
    end, require('synconfroute.command').names())
  end,
})
