import { found, missing, type Need, programNeed } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import type { settings } from '../settings.ts'

type Values = ValuesOf<typeof settings>

const sandbox: Need<Values> = {
  name: 'sandbox of media',
  purpose: 'decodes untrusted video, audio and HEIC files; without it they are stored, but have no renditions',
  remedy: 'sudo apt install runsc; on a node that runs as root, ICOSA_CONTRIBUTIONS_RUNTIME may choose another.',
  async check({ runtime }) {
    const { sandboxNote, sandboxProblem } = await import('@icosa/sandbox')
    const problem = await sandboxProblem(runtime)
    return problem === undefined ? found(sandboxNote(runtime)) : missing(problem)
  },
}

const ffmpeg = programNeed(
  { name: 'FFmpeg', names: ['ffmpeg'], versionFlag: '-version' },
  {
    purpose: 'makes renditions of video and audio that browsers play',
    remedy: { debian: 'sudo apt install ffmpeg', macos: 'films are read on Linux only', other: 'https://ffmpeg.org' },
  },
)

const heif = programNeed(
  { name: 'heif-convert', names: ['heif-convert'] },
  {
    purpose: 'reads HEIC, the image format of many phones',
    remedy: {
      debian: 'sudo apt install libheif-examples',
      macos: 'HEIC is read on Linux only',
      other: 'https://github.com/strukturag/libheif',
    },
  },
)

export const needs: readonly Need<Values>[] = [sandbox, ffmpeg, heif]
