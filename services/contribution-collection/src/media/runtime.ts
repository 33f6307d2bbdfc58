import type { OnStop, Platform } from '@icosa/kernel'
import type { ContributionSettings } from '../settings.ts'
import { openPictures, type Pictures } from './images/pictures.ts'
import { type Films, openFilms } from './programs/films.ts'

/** Readers of uploads, in separate processes, for films in a sandbox. */
export interface MediaRuntime {
  readonly pictures: Pictures
  readonly films: Films
}

export function openMedia(
  { runtime, state }: ContributionSettings,
  { log, metrics }: Platform,
  onStop: OnStop,
): MediaRuntime {
  const pictures = openPictures({ metrics })
  onStop(() => pictures.close())
  const films = openFilms({
    runtime,
    state,
    onError: (error) => log.error({ err: error }, 'a sandbox for films failed'),
  })
  onStop(() => films.close())
  metrics.gauge('icosa_films_running', 'Films that are being read.', () => films.load().running)
  metrics.gauge('icosa_films_waiting', 'Films that wait to be read.', () => films.load().waiting)
  return { pictures, films }
}
