-- The routing table: sorted rows of a key and a value, searched where they are, and a small map of later changes.
-- FOLDER, CELLS and HOME come from the configuration.

local maxWaitMs, pauseMs, maxWaiting = 5000, 20, 10000
local overlay = Map.new(FOLDER .. "/overlay.map", Map._str)
local content, version, parts = "", "0", {}

local function load()
  local file = assert(io.open(FOLDER .. "/routes", "rb"))
  file:read("l") -- the checksum, which `icosa route` has examined
  local header = file:read("l")
  local function number(name) return math.tointeger(tonumber(header:match('"' .. name .. '":(%d+)'))) end
  local places, names = number("places"), number("names")
  content = nil
  local rows = file:read(places * 10 + names * 16) or ""
  file:close()
  assert(#rows == places * 10 + names * 16, "the table is incomplete")
  content, version = rows, header:match('"version":"(%d+)"')
  parts = { p = { from = 1, rows = places, width = 10, value = ">I2" }, n = { from = 1 + places * 10, rows = names, width = 16, value = ">I8" } }
  rows = nil
  collectgarbage("collect")
end

local function stored(kind, key)
  local part, wanted = parts[kind], tonumber(key, 16)
  local from, to = 0, part.rows
  while from < to do
    local middle = (from + to) // 2
    local at = part.from + middle * part.width
    local found = string.unpack(">I8", content, at)
    if found == wanted then return (string.unpack(part.value, content, at + 8)) end
    if found < wanted then from = middle + 1 else to = middle end
  end
end

-- Index of the cell, and whether its tenant is on hold; nil if the tenant is unknown.
local function place(id)
  local kind, key = id:sub(1, 1), id:sub(2)
  local changed = overlay:lookup(id)
  if changed == "-" then return nil end
  if kind == "n" then
    local tenant = changed or stored(kind, key)
    if type(tenant) == "number" then tenant = string.format("%016x", tenant) end
    return tenant and place("p" .. tenant)
  end
  local value = tonumber(changed) or stored(kind, key)
  if value then return value & 0x7fff, value >= 0x8000 end
end

local waiting = 0

local function wait(id)
  if waiting >= maxWaiting then return nil end
  waiting = waiting + 1
  local cell, isOnHold = place(id)
  local waited = 0
  while isOnHold and waited < maxWaitMs do
    core.msleep(pauseMs)
    waited = waited + pauseMs
    cell, isOnHold = place(id)
  end
  waiting = waiting - 1
  if isOnHold then return nil end
  return cell or "home"
end

-- Sets `txn.backend`, unless the tenant is on hold for too long or its cell is not in this configuration.
core.register_action("icosa_locate", { "http-req" }, function(txn)
  local named = txn:get_var("txn.named")
  local by = named:match("^(%a+):")
  local cell = "home"
  if by then
    local high, low = string.unpack(">I4I4", txn.c:sha2(named, 256))
    local isPlace = by == "tag" or by == "tenant"
    local id = string.format("%s%08x%08x", isPlace and "p" or "n", high & 0x7fffffff, low)
    local known, isOnHold = place(id)
    if isOnHold then cell = wait(id) else cell = known or "home" end
  end
  if cell == nil then return end
  local name = cell == "home" and HOME or CELLS[cell + 1]
  if name then txn:set_var("txn.backend", "cell_" .. name) end
end)

core.register_cli({ "icosa", "load" }, "icosa load : read the routing table again", function(applet)
  local isLoaded, problem = pcall(load)
  applet:send(isLoaded and version .. "\n" or "failed: " .. tostring(problem) .. "\n")
end)

load()
