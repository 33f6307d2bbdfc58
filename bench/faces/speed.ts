/** Photos per second over HTTP compared with the bare networks, alternately; milliseconds by stage; memory of a process. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { decode } from '../../services/face-recognition/src/engine/image/decode.ts'
import { chipOf, openDescriber } from '../../services/face-recognition/src/engine/look/describe.ts'
import { openFinder } from '../../services/face-recognition/src/engine/look/find.ts'
import { openMesher } from '../../services/face-recognition/src/engine/look/mesh.ts'
import { defaultSettings } from '../../services/face-recognition/src/settings.ts'
import { callersOf, photo, start } from '../../services/face-recognition/src/testing/app.ts'
import { photosOf } from '../../services/face-recognition/src/testing/photos.ts'
import { type Figure, median } from '../figures.ts'

const cores = 2
const sliceMs = 4_000
const rounds = 3
const models = resolve(defaultSettings.models)

export async function speed(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-bench-'))
  const file = join(folder, 'photo.jpg')
  const image = await sharp(photosOf(1)[0]).resize(640).jpeg().toBuffer()
  await writeFile(file, image)
  try {
    return [...(await beside(image, file)), ...(await stages(image))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function stages(image: Buffer): Promise<Figure[]> {
  const began = performance.now()
  const [finder, mesher, describe] = [await openFinder(models), await openMesher(models), await openDescriber(models)]
  const loadedMs = performance.now() - began
  const times: Record<string, number[]> = { decode: [], find: [], mesh: [], describe: [] }
  const timed = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const result = await work()
    times[stage]?.push(performance.now() - start)
    return result
  }
  for (let round = 0; round < 25; round++) {
    const picture = await timed('decode', () => decode(image))
    const [face] = await timed('find', () => finder.find(picture, { small: false }))
    if (!face) throw new Error('no face in the photo of the bench')
    const mesh = await timed('mesh', () => mesher(picture, face))
    await timed('describe', () => describe(chipOf(picture, mesh)))
  }
  return [
    ...Object.entries(times).flatMap(([stage, all]): Figure[] => [
      { name: `stage ${stage}, least`, value: Math.min(...all), unit: 'ms' },
      { name: `stage ${stage}`, statistic: 'p50', value: median(all), unit: 'ms' },
    ]),
    { name: 'networks loaded', value: loadedMs, unit: 'ms' },
  ]
}

async function beside(image: Buffer, file: string): Promise<Figure[]> {
  const bare = await Promise.all(Array.from({ length: cores }, () => openBare(file)))
  const app = await start({ workers: cores + 1 })
  try {
    const { face } = await callersOf(app)
    const detect = () => face.detect({ body: photo(image) })
    await Promise.all(Array.from({ length: cores }, detect))
    const figures = { http: 0, bare: 0 }
    for (let round = 0; round < rounds; round++) {
      figures.bare += (await Promise.all(bare.map((child) => photosIn(child)))).reduce((sum, one) => sum + one, 0)
      figures.http += await countIn(detect, 2 * cores)
    }
    const memory = await Promise.all(bare.map(memoryOf))
    const perSecond = (photos: number) => (photos * 1000) / (rounds * sliceMs)
    const name = 'photo of 640 px with one face over HTTP'
    return [
      { name, value: figures.http / figures.bare, unit: '×', comparedWith: 'the same networks in a bare process' },
      { name: `${name}, photos on ${cores} cores`, value: perSecond(figures.http), unit: '/s' },
      { name: 'memory of a bare process', value: Math.max(...memory), unit: 'MB' },
    ]
  } finally {
    for (const child of bare) child.kill()
    await app[Symbol.asyncDispose]()
  }
}

async function openBare(file: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./bare-process.ts', import.meta.url)), [models, file])
  await once(child, 'message')
  return child
}

async function photosIn(child: ChildProcess): Promise<number> {
  child.send(sliceMs)
  const [photos] = await once(child, 'message')
  return photos as number
}

async function countIn(work: () => Promise<unknown>, concurrency: number): Promise<number> {
  const until = performance.now() + sliceMs
  let done = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (; performance.now() < until; done++) await work()
    }),
  )
  return done
}

async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}
