import { expect, test } from 'vitest'
import { completed } from './metadata.ts'

test.each([{}, { grant_types: [] }])(
  'a client with %j has the grant types that its response types need',
  async (said) => {
    const granted = async (response_types: string[]) =>
      (await completed({ redirect_uris: ['https://rp.example/cb'], response_types, ...said })).grant_types
    expect(await granted(['code'])).toEqual(['authorization_code'])
    expect(await granted(['id_token']).catch(String)).toEqual(['implicit'])
  },
)
