import { expect, test } from 'vitest'
import { settings } from './settings.ts'

const read = (text: string) => settings.read({ ICOSA_CONFIGURATION_PRIVATE_ENDPOINTS: text }).privateEndpoints

test('reads private endpoints with their networks', () => {
  expect(settings.read({}).privateEndpoints).toEqual({})
  expect(read('{"/office":["10.1.0.0/16","::1"]}')).toEqual({ '/office': ['10.1.0.0/16', '::1'] })
})

test.each([
  'office',
  '[]',
  '{"/office":"10.1.0.0/16"}',
  '{"/office":["10.1.0.0/33"]}',
  '{"/office":["example.com"]}',
  '{"/office":["10.1.0.0/x"]}',
])('%s is refused', (text) => {
  expect(() => read(text)).toThrow(/^ICOSA_CONFIGURATION_PRIVATE_ENDPOINTS .*such as /)
})

test('an endpoint must contain {name}, or all stores would share an address', () => {
  const endpointFrom = (text: string) => settings.read({ ICOSA_CONFIGURATION_ENDPOINT: text }).endpoint
  expect(endpointFrom('https://{name}.config.example')).toBe('https://{name}.config.example')
  for (const text of ['https://config.example', 'ftp://{name}.config.example', '{name}'])
    expect(() => endpointFrom(text), text).toThrow(/^ICOSA_CONFIGURATION_ENDPOINT .*such as /)
})
