-- Between a test and a Neovim: `nvim -l neovim_bridge.lua NVIM ARGUMENTS…` starts that Neovim and
-- does there what each line on stdin says; a line of JSON on stdout answers it.
--
--   {"keys": "ifoo<Esc>"}            press keys, as a user would
--   {"lua": "return ...", "args": []}  run Lua; the answer is {"value": …} or {"error": "…"}

local arguments = { arg[1], '--embed', '--headless', unpack(arg, 2) }
local channel = vim.fn.jobstart(arguments, {
  rpc = true,
  on_stderr = function(_, lines)
    io.stderr:write(table.concat(lines, '\n'))
  end,
})

local function answer(question)
  if question.keys then
    return pcall(vim.rpcrequest, channel, 'nvim_input', question.keys)
  end
  return pcall(vim.rpcrequest, channel, 'nvim_exec_lua', question.lua, question.args)
end

for line in io.lines() do
  local well, value = answer(vim.json.decode(line))
  local key = well and 'value' or 'error'
  io.write(vim.json.encode({ [key] = value }), '\n')
  io.flush()
end
vim.fn.jobstop(channel)
