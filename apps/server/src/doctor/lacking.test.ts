import { expect, test } from 'vitest'
import type { Examined } from './examine.ts'
import { watchLacking } from './lacking.ts'

const need = (service: string, name: string, isThere: boolean, isOptional = false): Examined => ({
  ...{ service, need: name, isThere, isOptional },
  ...{ purpose: '', detail: '/usr/bin', remedy: '' },
})

test('unmet needs are reported once, in one line, without the paths searched', async () => {
  const said: string[] = []
  const found = [need('backup', 'restic', false), need('backup', 'tar', true), need('faces', 'x', false, true)]
  const watch = watchLacking(
    async () => found,
    (line) => void said.push(line),
    0,
  )
  await expect.poll(() => said.length).toBe(1)
  watch.close()
  expect(said).toEqual(['One service has unmet needs: backup (restic). `icosa doctor` shows how to install them.'])
  expect(watch.lacking()).toEqual({ backup: ['restic'], faces: [] })
})
