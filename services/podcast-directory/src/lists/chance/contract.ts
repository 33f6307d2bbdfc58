import { keyed } from '@icosa/dialects/keyed'
import { EpisodeSimple } from '../../episodes/contract.ts'
import { keyHeaders } from '../../names.ts'

const { get } = keyed(keyHeaders[0])

export const chance = {
  justListen: get('/just_listen', {
    summary: 'Read any episode; the latest ones are the likeliest.',
    replies: { 200: EpisodeSimple },
  }),
}
