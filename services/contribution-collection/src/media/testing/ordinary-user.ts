import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openFilms } from '../programs/films.ts'

// Processes a film as the current user, and sends the result to the parent.
const [, , folder = ''] = process.argv
const films = openFilms({ runtime: 'runsc', state: join(folder, 'state'), onError: console.error })
const result = await films.open(
  'tests',
  async () => createReadStream(join(folder, 'film.mp4')),
  async (film) => {
    const probe = await film.probe()
    const { body, done } = film.rendition(probe, () => {})
    const [copy] = await Promise.all([buffer(body), done])
    return { probe, poster: await film.poster(probe), copy }
  },
)
await films.close()
process.send?.(result, () => process.disconnect())
