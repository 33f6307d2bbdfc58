import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Failure } from '@icosa/kernel'
import {
  type Arguments,
  print,
  remark,
  type ServiceArguments,
  type ServiceCommand,
  table,
  text,
  UsageError,
} from '@icosa/module'
import { openEngine } from '../engine/engine.ts'
import { accountOf } from '../snapshots/account.ts'
import { drawFaces } from './draw.ts'

type CommandArguments = Arguments & ServiceArguments

export const faces: ServiceCommand = {
  name: 'faces',
  usage: 'faces detect PHOTO [--out BOXES.png] [--small] [--json] | account TENANT',
  summary:
    'Detect and draw the faces in a photo on this machine, or print the account that identifies a tenant in snapshots.',
  flags: { out: { type: 'string' }, small: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: { detect: false, account: false },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${faces.usage}`)
    await action(args)
  },
}

const actions: Readonly<Record<string, (args: CommandArguments) => Promise<void>>> = {
  async detect({ words: [, file], flags, facts }) {
    if (!file) throw new UsageError('Which photo? icosa faces detect photo.jpg --out boxes.png')
    const image = await readFile(file)
    const detected = await analyse(image, flags.small === true, join(facts.scratchDirectory, 'face-models'))
    const out = text(flags, 'out')
    if (out !== undefined) {
      await writeFile(out, await drawFaces(image, detected))
      remark(`Wrote ${out}.`)
    }
    if (flags.json === true) return print(JSON.stringify(detected))
    if (detected.length === 0) return print('No face was found. Try --small, which adds a second network.')
    print(
      table(
        ['left', 'top', 'width', 'height', 'score', 'yaw', 'pitch', 'roll', 'blur'],
        detected.map(({ box, score, headPose, quality }) =>
          [box.left, box.top, box.width, box.height, score.toFixed(2)]
            .concat([headPose?.yaw ?? '', headPose?.pitch ?? '', headPose?.roll ?? '', quality?.blur ?? ''])
            .map(String),
        ),
      ),
    )
  },

  async account({ words: [, tenant] }) {
    if (!tenant) throw new UsageError('Which tenant? icosa faces account acme')
    print(accountOf(tenant))
  },
}

async function analyse(image: Uint8Array, small: boolean, models: string) {
  const engine = openEngine({ models: resolve(models), workers: 1 })
  try {
    const question = { image, small, descriptors: false, landmarks: true, attributes: true, most: 100 }
    return (await engine.analyse('command', question)).faces
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.message) : error
  } finally {
    await engine.close()
  }
}
