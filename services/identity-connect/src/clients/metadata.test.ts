import { expect, test } from 'vitest'
import { completed } from './metadata.ts'
import * as rules from './registration-rules.ts'

test.each([{}, { grant_types: [] }])(
  'a client with %j gets the grant types that its response types require',
  (metadata) => {
    const grantTypes = (response_types: string[]) =>
      completed({ redirect_uris: ['https://rp.example/cb'], response_types, ...metadata }, rules).grant_types
    expect(grantTypes(['code'])).toEqual(['authorization_code'])
    expect(grantTypes(['id_token'])).toEqual(['implicit'])
  },
)
