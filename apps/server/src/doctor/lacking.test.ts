import { expect, test } from 'vitest'
import type { Examined } from './examine.ts'
import { watchLacking } from './lacking.ts'

const need = (service: string, name: string, isThere: boolean, isOptional = false): Examined => ({
  ...{ service, need: name, isThere, isOptional },
  ...{ purpose: '', detail: '/usr/bin', remedy: '' },
})

test('unmet needs are reported once, in one line, without the paths searched', async () => {
  const warnings: string[] = []
  const needs = [need('backup', 'restic', false), need('backup', 'tar', true), need('faces', 'x', false, true)]
  const watch = watchLacking(
    async () => needs,
    (line) => void warnings.push(line),
    0,
  )
  await expect.poll(() => warnings.length).toBe(1)
  watch.close()
  expect(warnings).toEqual(['One service has unmet needs: backup (restic). `icosa doctor` shows how to install them.'])
  expect(watch.lacking()).toEqual({ backup: ['restic'], faces: [] })
})
