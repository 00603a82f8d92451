-- Takes a shown completion, or a part of it.
--
-- Neovim 0.12 inserts a completion where it was made for, so what was typed since stands twice.
-- Here only the rest is inserted, at the cursor.

local ghost = require('synconfroute.ghost')
local typed = require('synconfroute.typed')

local M = {}

---@param text string
---@return string part
local function whole(text)
  return text
end

---The next word, or the next run of signs, with the space before it.
---@param text string
---@return string part
local function word(text)
  return text:match('^%s*[%w_\128-\255]+') or text:match('^%s*[^%w_%s\128-\255]+') or text
end

---The rest of the line; at its end, the next line.
---@param text string
---@return string part
local function line(text)
  return text:match('^\n*[^\n]+') or text
end

---@param buf integer
---@param rest synconfroute.Rest
---@param part string
local function insert(buf, rest, part)
  -- One undo takes back what was taken, not what was typed before it.
  vim.bo[buf].undolevels = vim.bo[buf].undolevels
  local lines = vim.split(part, '\n', { plain = true })
  local end_col = part == rest.text and rest.end_col or rest.col
  vim.api.nvim_buf_set_text(buf, rest.row, rest.col, rest.row, end_col, lines)
  local col = (#lines == 1 and rest.col or 0) + #lines[#lines]
  vim.api.nvim_win_set_cursor(0, { rest.row + #lines, col })
end

---@param buf integer
---@param item vim.lsp.inline_completion.Item
---@param length integer bytes of its text that stand in the buffer now
local function tell_of_part(buf, item, length)
  local client = vim.lsp.get_client_by_id(item.client_id)
  if client and client.name == 'synconfroute' then
    client:notify('textDocument/didPartiallyAcceptCompletion', {
      item = { insertText = item.insert_text, command = item.command },
      acceptedLength = vim.str_utfindex(item.insert_text, 'utf-16', length),
    })
  end
  ghost.keep(buf, item)
end

---@param buf integer
---@param item vim.lsp.inline_completion.Item
---@param part_of fun(text: string): string
local function take(buf, item, part_of)
  local rest = typed.rest(item, buf)
  if not rest then
    return
  end
  local part = part_of(rest.text)
  insert(buf, rest, part)
  if part ~= rest.text then
    tell_of_part(buf, item, #rest.typed + #part)
  elseif item.command then
    local client = vim.lsp.get_client_by_id(item.client_id)
    if client then
      client:exec_cmd(item.command, { bufnr = buf })
    end
  end
end

---@param part_of fun(text: string): string
---@return boolean taken false where nothing is shown
local function accept(part_of)
  if not vim.lsp.inline_completion then
    return false
  end
  local buf = vim.api.nvim_get_current_buf()
  return vim.lsp.inline_completion.get({
    bufnr = buf,
    on_accept = function(item)
      if type(item.insert_text) ~= 'string' then
        return item -- a snippet of another server
      end
      take(buf, item, part_of)
    end,
  })
end

---Take the whole completion. Usable in an `expr` mapping.
---@return boolean taken false where nothing is shown
function M.whole()
  return accept(whole)
end

---Take the next word.
---@return boolean taken false where nothing is shown
function M.word()
  return accept(word)
end

---Take the rest of the line, or the next line.
---@return boolean taken false where nothing is shown
function M.line()
  return accept(line)
end

return M
