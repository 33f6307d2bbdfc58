import { expect, test } from 'vitest'
import { completed } from './metadata.ts'
import * as rules from './registration-rules.ts'

test.each([{}, { grant_types: [] }])('a client with %j has the grant types that its response types need', (said) => {
  const granted = (response_types: string[]) =>
    completed({ redirect_uris: ['https://rp.example/cb'], response_types, ...said }, rules).grant_types
  expect(granted(['code'])).toEqual(['authorization_code'])
  expect(granted(['id_token'])).toEqual(['implicit'])
})
