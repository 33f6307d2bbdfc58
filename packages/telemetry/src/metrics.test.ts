import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('label values are escaped, so that different ones stay different', () => {
  const metrics = createMetrics()
  const values = ['a"b', 'a_b', 'a\\b', 'a\nb']
  metrics.gauge('tenants', 'By name.', () => values.map((tenant) => ({ labels: { tenant }, value: 1 })))
  expect(metrics.text().split('\n').slice(-5, -1)).toEqual([
    String.raw`tenants{tenant="a\"b"} 1`,
    'tenants{tenant="a_b"} 1',
    String.raw`tenants{tenant="a\\b"} 1`,
    String.raw`tenants{tenant="a\nb"} 1`,
  ])
})
