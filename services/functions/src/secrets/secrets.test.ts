import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { functionsService } from '../index.ts'
import { testSettings } from '../testing/app.ts'
import { setSecret } from './secrets.ts'

test('concurrent writes of a secret create distinct versions', async () => {
  await using app = await startTestApp(functionsService(testSettings()))
  const set = (value: string) => setSecret(app.platform, 'acme', { project: 'shop', name: 'password' }, value)
  const versions = await Promise.all(Array.from({ length: 12 }, (_, index) => set(`value ${index}`)))
  expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
})
