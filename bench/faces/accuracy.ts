/** Accuracy of verifying whether two photos show the same person: on folders of persons, or on the pairs of LFW. */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { confidenceOf, distance, isSame } from '../../services/face-recognition/src/descriptors/confidence.ts'
import { type Analyse, openAnalysis } from '../../services/face-recognition/src/engine/analysis.ts'
import type { Descriptor } from '../../services/face-recognition/src/engine/look/describe.ts'
import { defaultSettings } from '../../services/face-recognition/src/settings.ts'
import { callersOf, faceIn, start } from '../../services/face-recognition/src/testing/app.ts'
import type { Figure } from '../figures.ts'

interface Photo {
  readonly person: string
  readonly file: string
}

/** Confidences of pairs of one person and of two persons. */
interface Pairs {
  readonly same: number[]
  readonly different: number[]
}

/** Through the whole service, and with the networks alone. */
export async function byFolders(root: string): Promise<Figure[]> {
  const photos: Photo[] = []
  for (const person of (await readdir(root)).toSorted())
    for (const name of (await readdir(join(root, person))).toSorted())
      photos.push({ person, file: join(root, person, name) })
  const analyse = await openAnalysis(resolve(defaultSettings.models))
  const descriptors = new Map<Photo, Descriptor | undefined>()
  for (const photo of photos) descriptors.set(photo, await described(analyse, photo.file))
  const alone = await pairsOf(photos, async (one, other) => {
    const [a, b] = [descriptors.get(one), descriptors.get(other)]
    return a && b ? confidenceOf(distance(a, b)) : undefined
  })

  await using app = await start()
  const callers = await callersOf(app)
  const ids = new Map<Photo, string | undefined>()
  for (const photo of photos) ids.set(photo, await faceIn(callers, await readFile(photo.file)))
  const whole = await pairsOf(photos, async (one, other) => {
    const [faceId1, faceId2] = [ids.get(one), ids.get(other)]
    if (faceId1 === undefined || faceId2 === undefined) return undefined
    return (await callers.comparison.verify({ body: { faceId1, faceId2 } })).body.confidence
  })
  return [...figuresOf('networks alone', alone), ...figuresOf('over HTTP', whole)]
}

async function described(analyse: Analyse, file: string): Promise<Descriptor | undefined> {
  const image = await readFile(file)
  const question = { image, small: false, descriptors: true, landmarks: false, attributes: false, most: 1 }
  return (await analyse(question)).faces[0]?.descriptor
}

async function pairsOf(photos: readonly Photo[], ask: (one: Photo, other: Photo) => Promise<number | undefined>) {
  const pairs: Pairs = { same: [], different: [] }
  for (const [index, one] of photos.entries())
    for (const other of photos.slice(index + 1)) {
      const confidence = await ask(one, other)
      if (confidence === undefined) continue
      pairs[one.person === other.person ? 'same' : 'different'].push(confidence)
    }
  return pairs
}

/** The 6,000 pairs of Labeled Faces in the Wild, in ten parts: the threshold of each comes from the nine others. */
export async function byLfw(root: string, list: string): Promise<Figure[]> {
  const analyse = await openAnalysis(resolve(defaultSettings.models))
  const cache = new Map<string, Promise<Descriptor | undefined>>()
  const of = (person: string, number: string) => {
    const file = join(root, person, `${person}_${number.padStart(4, '0')}.jpg`)
    if (!cache.has(file)) cache.set(file, described(analyse, file))
    return cache.get(file)
  }
  const lines = (await readFile(list, 'utf8')).trim().split('\n').slice(1)
  const pairs: { readonly isSame: boolean; readonly confidence: number }[] = []
  for (const line of lines) {
    const [person = '', first = '', second = '', third] = line.split('\t')
    const [one, other] =
      third === undefined ? [of(person, first), of(person, second)] : [of(person, first), of(second, third)]
    const [a, b] = [await one, await other]
    pairs.push({ isSame: third === undefined, confidence: a && b ? confidenceOf(distance(a, b)) : 0 })
  }
  const part = (index: number) => Math.floor((index * 10) / pairs.length)
  const rates = Array.from({ length: 10 }, (_, fold) => {
    const threshold = bestThreshold(pairs.filter((_, index) => part(index) !== fold))
    const own = pairs.filter((_, index) => part(index) === fold)
    return own.filter((pair) => pair.confidence >= threshold === pair.isSame).length / own.length
  })
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const confidences = (isOne: boolean) =>
    pairs.filter((pair) => pair.isSame === isOne).map(({ confidence }) => confidence)
  const accuracy = { name: `LFW, ${pairs.length} pairs, accuracy`, value: 100 * mean, unit: '%' }
  return [accuracy, ...figuresOf('LFW', { same: confidences(true), different: confidences(false) })]
}

function bestThreshold(pairs: readonly { readonly isSame: boolean; readonly confidence: number }[]): number {
  let best = { threshold: isSame, right: 0 }
  for (let threshold = 0.2; threshold < 0.9; threshold += 0.005) {
    const right = pairs.filter((pair) => pair.confidence >= threshold === pair.isSame).length
    if (right > best.right) best = { threshold, right }
  }
  return best.threshold
}

function figuresOf(what: string, { same, different }: Pairs): Figure[] {
  const sorted = different.toSorted((p, q) => p - q)
  const below = (value: number) => sorted.filter((other) => other < value).length
  const wins = same.reduce((sum, value) => sum + below(value), 0)
  const share = (all: number[], from: number) => (100 * all.filter((value) => value >= from).length) / all.length
  const pairs = `${what}, ${same.length} pairs of one person, ${different.length} of two`
  return [
    { name: `${pairs}, area under the ROC curve`, value: wins / same.length / different.length, unit: '' },
    { name: `${pairs}, false matches`, value: share(different, isSame), unit: '%' },
    { name: `${pairs}, missed matches`, value: 100 - share(same, isSame), unit: '%' },
  ]
}
