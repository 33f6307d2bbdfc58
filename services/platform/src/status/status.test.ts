import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { status } from '../contract.ts'
import { platform } from '../index.ts'
import { keyHeader } from '../names.ts'

test('the status tells what runs and what the machine lacks', async () => {
  const need = { service: 'example', need: 'tar', purpose: 'packs', isOptional: false, remedy: 'sudo apt install tar' }
  await using app = await startTestApp({ services: [platform], unmetNeeds: () => [need] })
  const { getStatus } = app.client(status, { headers: { [keyHeader]: await app.key('ada') } })
  expect((await getStatus({})).body).toMatchObject({
    ...{ ready: true, status: 'ready', clock: 'virtual', services: ['platform'], needs: [need] },
  })
})
