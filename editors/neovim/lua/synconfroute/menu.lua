-- Completions in the completion menu, for Neovim 0.11, which has no grey text.

local M = {}

local WAIT_MS = 200

---Offer completions in a buffer's menu, where the user has stopped typing for a moment.
---@param buf integer
---@param client_id integer
function M.offer(buf, client_id)
  vim.lsp.completion.enable(true, client_id, buf, { autotrigger = true })
  vim.opt_local.completeopt = { 'menuone', 'noselect', 'popup' }
  local timer = assert(vim.uv.new_timer())
  local group = vim.api.nvim_create_augroup('synconfroute.menu:' .. buf, {})
  vim.api.nvim_create_autocmd('TextChangedI', {
    group = group,
    buffer = buf,
    callback = function()
      timer:start(
        WAIT_MS,
        0,
        vim.schedule_wrap(function()
          if vim.api.nvim_get_current_buf() == buf and vim.fn.mode() == 'i' then
            vim.lsp.completion.get()
          end
        end)
      )
    end,
  })
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    buffer = buf,
    callback = function(event)
      if event.data.client_id == client_id and not timer:is_closing() then
        timer:close()
        vim.api.nvim_del_augroup_by_id(group)
      end
    end,
  })
end

return M
