-- Notes what grey text stands in a buffer, and since when. Loaded into a Neovim that is measured.

local M = { events = {} }

local last = nil

---@param spaces string[] namespaces of what shows grey text
---@return string
local function shown(spaces)
  local first, below = '', ''
  for _, name in ipairs(spaces) do
    local space = vim.api.nvim_get_namespaces()[name]
    local marks = space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }) or {}
    for _, mark in ipairs(marks) do
      local text = mark[4].virt_text
      first = first .. (text and text[1] and text[1][1] or '')
      for _, line in ipairs(mark[4].virt_lines or {}) do
        below = below .. '\n'
        for _, chunk in ipairs(line) do
          below = below .. chunk[1]
        end
      end
    end
  end
  return first .. below
end

---What stands left of the cursor, from a place in the buffer on.
---@return string
function M.left()
  local row, col = unpack(vim.api.nvim_win_get_cursor(0))
  local text = vim.api.nvim_buf_get_text(0, M.row, 0, row - 1, col, {})
  return table.concat(text, '\n')
end

local function look()
  local text = shown(M.spaces)
  local state = text == '' and '' or text .. '\0' .. M.left()
  if state ~= last then
    last = state
    table.insert(M.events, { at = vim.uv.hrtime() / 1e9, left = M.left(), text = text })
  end
end

---@param spaces string[]
---@param row integer where the passage begins, from 0
---@param every_ms integer
function M.begin(spaces, row, every_ms)
  M.spaces, M.row = spaces, row
  local timer = assert(vim.uv.new_timer())
  timer:start(every_ms, every_ms, vim.schedule_wrap(look))
end

---What was noted since the last time.
---@return table[]
function M.take()
  local events = M.events
  M.events = {}
  return events
end

return M
