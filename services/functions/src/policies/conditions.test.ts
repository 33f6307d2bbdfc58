import { expect, test } from 'vitest'
import { conditionOf } from './conditions.ts'

const subject = {
  now: new Date('2026-06-01T12:00:00Z'),
  resource: 'projects/shop/locations/here/functions/orders',
}

test.each<[string, boolean]>([
  ['request.time < timestamp("2026-06-01T12:00:01Z")', true],
  ['request.time < timestamp("2026-06-01T12:00:00Z")', false],
  ["request.time<=timestamp('2026-06-01T14:00:00+02:00')", true],
  ['request.time > timestamp("2026-01-01T00:00:00.5Z") && request.time < timestamp("2027-01-01T00:00:00Z")', true],
  ['request.time > timestamp("2026-01-01T00:00:00Z")&&resource.name.endsWith("/invoices")', false],
  ['resource.name == "projects/shop/locations/here/functions/orders"', true],
  ['resource.name != "a && b"', true],
  ['resource.name.startsWith("projects/shop/")', true],
  ["resource.name.startsWith('projects/other/')", false],
  ['resource.name != "quoted \\" && \\\\"', true],
  ['true', true],
  ['request.time < timestamp("2026-01-01T00:00:00Z") || resource.name.endsWith("/orders")', true],
  ['!resource.name.endsWith("/orders")', false],
  ['!(resource.name == "a" || resource.name == "b") && !false', true],
  ['resource.type == "cloudfunctions.googleapis.com/Function" && resource.service != "run.googleapis.com"', true],
  ['resource.name == "a" && resource.name == "b" || true', true],
  ['resource.name == "a" && (resource.name == "b" || true)', false],
  ['timestamp("2026-01-01T00:00:00Z") < request.time', true],
  ["'projects/shop/locations/here/functions/orders' == resource.name", true],
])('%s: %s', (expression, expected) => {
  expect(conditionOf(expression)(subject)).toBe(expected)
})

test.each([
  '',
  '""',
  'true true',
  'request.time == resource.name',
  'resource.name < "b"',
  '(true',
  'true)',
  'true ||',
  '|| true',
  '! ',
  'true & true',
  `${'('.repeat(3_000)}true${')'.repeat(3_000)}`,
  `${'!'.repeat(3_000)}true`,
  'constructor',
  'resource.name.constructor("x")',
  'resource.toString == "a"',
  'request.time',
  'request.time < "2026-06-01"',
  'request.time < timestamp("June")',
  'request.time < timestamp("2026-06-01T12:00:00Z") &&',
  'request.time.getHours() < 5',
  'resource.name == "a" && request.auth.claims.admin',
  'resource.name.matches("a")',
  'resource.type > "a"',
  'resource.name == "a" "b"',
  'resource.name == "a\\"',
])('%j is refused', (expression) => {
  expect(() => conditionOf(expression)).toThrow(/condition/)
})
