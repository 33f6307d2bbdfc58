import { keyed } from '@icosa/dialects/keyed'
import { EpisodeSimple } from '../../episodes/contract.ts'
import { keyHeaders } from '../../names.ts'

const { get } = keyed(keyHeaders[0])

export const chance = {
  justListen: get('/just_listen', {
    summary: 'Read a random episode; recent ones are more likely.',
    replies: { 200: EpisodeSimple },
  }),
}
