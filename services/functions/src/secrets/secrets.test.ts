import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { functionsService } from '../index.ts'
import { testSettings } from '../testing/app.ts'
import { setSecret } from './secrets.ts'

test('of many that set a secret at once each makes a version of its own', async () => {
  await using app = await startTestApp(functionsService(testSettings()))
  const set = (value: string) => setSecret(app.platform, 'acme', { project: 'shop', name: 'password' }, value)
  const versions = await Promise.all(Array.from({ length: 12 }, (_, nth) => set(`value ${nth}`)))
  expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, nth) => nth + 1))
})
