-- What of a completion is left where the user typed on since it was made.

local M = {}

---@class synconfroute.Rest
---@field text string what is still to be inserted
---@field typed string the completion's beginning that stands before the cursor already
---@field row integer the cursor's row, from 0
---@field col integer the cursor's column in bytes, from 0
---@field end_col integer up to where the text right of the cursor is replaced

---The rest of a completion at the cursor; nil where something else was typed, or the cursor left.
---@param item vim.lsp.inline_completion.Item
---@param buf integer
---@return synconfroute.Rest?
function M.rest(item, buf)
  local text = item.insert_text
  if type(text) ~= 'string' or vim.api.nvim_get_current_buf() ~= buf then
    return nil
  end
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  row = row - 1
  if not item.range then
    return { text = text, typed = '', row = row, col = col, end_col = col }
  end
  local start_row, start_col, end_row, end_col = item.range:to_extmark()
  if row ~= start_row or row ~= end_row or col < start_col then
    return nil
  end
  local typed = vim.api.nvim_get_current_line():sub(start_col + 1, col)
  if text:sub(1, #typed) ~= typed then
    return nil
  end
  local rest = text:sub(#typed + 1)
  return { text = rest, typed = typed, row = row, col = col, end_col = math.max(end_col, col) }
end

return M
