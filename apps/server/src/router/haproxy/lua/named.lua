-- Finds what a request names its tenant by: apps/server/src/tenants/named.ts in Lua, for the rules in RULES.
-- Differs from it for paths that no cell serves: with empty first or dot segments.

local find, sub, lower, byte = string.find, string.sub, string.lower, string.byte

-- Patterns are the alternatives of one regular expression; position captures enclose its first group.
local function search(patterns, text)
  local folded = lower(text)
  local first, from, to
  for _, pattern in ipairs(patterns) do
    local start, _, groupFrom, groupTo = find(folded, pattern)
    if start and (not first or start < first) then
      first, from, to = start, groupFrom, groupTo
      if start == 1 then break end
    end
  end
  if not first then return nil end
  return from and sub(text, from, to - 1) or ""
end

local function unescaped(text)
  return (text:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- As decodeURIComponent, or the text itself if it cannot be decoded.
local function decoded(text)
  if find(text:gsub("%%%x%x", ""), "%", 1, true) then return text end
  local result = unescaped(text)
  return utf8.len(result) and result or text
end

local digits = {}
for index, digit in ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):gmatch("()(.)") do
  digits[byte(digit)] = index - 1
end
digits[byte("-")], digits[byte("_")] = 62, 63

-- Base64 in either alphabet, up to the first padding.
local function fromBase64(text)
  local bits, value, out = 0, 0, {}
  for index = 1, #text do
    local code = byte(text, index)
    if code == 61 then break end
    local digit = digits[code]
    if digit then
      value, bits = (value << 6 | digit) & 0xffffff, bits + 6
      if bits >= 8 then
        bits = bits - 8
        out[#out + 1] = string.char(value >> bits & 0xff)
      end
    end
  end
  return table.concat(out)
end

local function tenantClaim(txn, token)
  local payload = token:match("^[%w_-]+%.([%w_-]+)%.[%w_-]+$")
  local json = payload and fromBase64(payload)
  -- The converter does not tell a string from a number.
  if not json or not find(json, '"tenant"%s*:%s*"') then return nil end
  local tenant = txn.c:json_query(json, "$.tenant")
  return tenant ~= "" and tenant or nil
end

local tag = "([a-km-np-z2-9]+)"
local function tagOfKey(key)
  local found, rest = key:match("^icosa_" .. tag .. "_([%w_-]+)$")
  return found and #found == 12 and #rest == 43 and found or nil
end
local function tagOfSigningId(id)
  local found, rest = id:sub(4, 15), id:sub(16)
  local isForm = #id == 25 and find(id, "^A[KS]I") and find(found, "^[A-KM-NP-Z2-9]+$") and find(rest, "^[0-9A-F]+$")
  return isForm and lower(found) or nil
end

-- A key, an access key ID or a token, by itself or as the parameter of a scheme of authorization.
local function credential(txn, text)
  local id = text:match("^([%w_-]+)/") or text:match("^([%w_-]+)$")
  local from = 1
  while not id do
    local _, to = find(text, "Credential=", from, true)
    if not to then break end
    id = text:match("^([%w_-]+)/", to + 1) or text:match("^([%w_-]+)$", to + 1)
    from = to + 1
  end
  local basic = sub(text, 1, 6):lower() == "basic " and text:match("^([%w_+/=-]+)$", 7)
  local secret = text
  if basic then secret = fromBase64(basic):gsub("^[^:]*:", "")
  elseif sub(text, 1, 7):lower() == "bearer " then secret = sub(text, 8) end
  local known = tagOfKey(secret) or tagOfSigningId(id or "")
  if known then return "tag", known end
  local tenant = tenantClaim(txn, secret)
  if tenant then return "tenant", tenant end
end

local meanings = {
  credential = credential,
  tag = function(_, part) return "tag", lower(part) end,
  ["tenant in base64url"] = function(_, part) return "tenant", fromBase64(part) end,
  tenant = function(_, part) return "tenant", decoded(decoded(part)) end,
}

local function parameter(query, name)
  for pair in query:gmatch("[^&]+") do
    local key, value = pair:match("^([^=]*)=?(.*)$")
    if unescaped((key:gsub("+", " "))) == name then return unescaped((value:gsub("+", " "))) end
  end
end

local function cookie(header, name)
  for pair in ((header or "") .. ";"):gmatch("([^;]*); *") do
    if sub(pair, 1, #name + 1) == name .. "=" then return sub(pair, #name + 2) end
  end
end

local readers = {
  host = function(head) return head.host end,
  path = function(head) return head.path end,
  query = function(head, name) return parameter(head.query, name) end,
  header = function(head, name) return head.headers[name] end,
  cookie = function(head, name) return cookie(head.headers.cookie, name) end,
}

-- Rules by the first segment of their paths, in their order. Those without one are in every list.
local rulesOf, general = {}, {}
for _, rule in ipairs(RULES) do
  if rule.segment then rulesOf[rule.segment] = {} else general[#general + 1] = rule end
end
for segment, rules in pairs(rulesOf) do
  for _, rule in ipairs(RULES) do
    if not rule.segment or rule.segment == segment then rules[#rules + 1] = rule end
  end
end

local function ruleOf(head)
  local folded = lower(head.path)
  local segment = folded:match("^/~[^/]+/([^/]*)") or folded:match("^/([^/]*)")
  for _, rule in ipairs(rulesOf[segment] or general) do
    if not rule.host or sub(head.host, -#rule.host) == rule.host then
      for _, pattern in ipairs(rule.paths) do
        if find(folded, pattern) then return rule end
      end
    end
  end
end

-- Returns by what, and the value; or nothing.
local function namedBy(txn, head)
  local rule = ruleOf(head)
  if not rule then return end
  for _, source in ipairs(rule.sources) do
    local text = readers[source.from](head, source.name)
    local part = text and (source.patterns and search(source.patterns, text) or not source.patterns and text)
    if part and part ~= "" then
      local meaning = meanings[source.gives]
      local by, value
      if meaning then by, value = meaning(txn, part) else by, value = source.gives, lower(decoded(part)) end
      if by then return by, value end
    end
  end
  return rule.otherwise
end

local function headOf(txn)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    local lines = { values[0] }
    for _, line in ipairs(values) do lines[#lines + 1] = line end
    headers[name] = table.concat(lines, name == "cookie" and "; " or ", ")
  end
  local target = txn.f:url()
  local path, query = target:match("^([^?]*)%??(.*)$")
  local host = lower(txn:get_var("txn.host") or headers.host or "")
  return { host = host:gsub(":%d*$", ""), path = path:gsub("\\", "/"), query = query, headers = headers }
end

-- Sets `txn.named` to such as `tag:abc`, or to `home`, `any` or `network`.
core.register_action("icosa_name", { "http-req" }, function(txn)
  local by, value = namedBy(txn, headOf(txn))
  txn:set_var("txn.named", value and by .. ":" .. value or by or "home")
end)
