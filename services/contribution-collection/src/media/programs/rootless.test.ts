import { asOrdinaryUser, hasUserNamespaces } from '@icosa/testing'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { film, test2seconds } from '../testing/files.ts'
import type { Probe } from './probe.ts'

interface Result {
  readonly probe: Probe
  readonly poster: Uint8Array
  readonly copy: Uint8Array
}

test.runIf(hasUserNamespaces())('an unprivileged user can process a film, with a poster and a rendition', async () => {
  const files = { 'film.mp4': await film('a.mp4', test2seconds) }
  const module = new URL('../testing/ordinary-user.ts', import.meta.url)
  const { probe, poster, copy } = await asOrdinaryUser<Result>(module, files)
  expect(probe).toMatchObject({ hasVideo: true, hasAudio: true, width: 1_920, height: 1_080 })
  expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 1_280, height: 720 })
  expect(Buffer.from(copy).toString('latin1', 4, 8)).toBe('ftyp')
})
