import type { FastifyReply } from 'fastify'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import { serviceName } from '../../names.ts'
import type { Step } from '../../pages/views.ts'
import { toClientView } from '../client-view.ts'
import type { PageRights } from '../headers.ts'
import { displayOf, type Visit } from '../visit/visit.ts'
import { SignInOver } from './sign-in-over.ts'

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** A sign-in in progress. */
export interface Interaction {
  readonly visit: Visit
  readonly details: Details
  readonly client: Client
  step(overrides?: Partial<Step>): Step
  readonly rights: PageRights
  /** Passes the result of this step to the library, which decides the next one. */
  finish(reply: FastifyReply, result: InteractionResults): Promise<FastifyReply>
}

export async function interactionOf(visit: Visit, uid: string): Promise<Interaction> {
  const { provider, request, exchange, base } = visit
  const { response } = exchange
  const details = await provider.interactionDetails(request, response)
  // The cookie identifies the browser; another tab may have started another sign-in since.
  if (details.uid !== uid) throw new SignInOver('another sign-in was started in this browser')
  const client = await provider.Client.find(String(details.params.client_id))
  if (!client) throw new SignInOver('the client does not exist')
  const display = displayOf(details.params.display)
  return {
    visit,
    details,
    client,
    step: (overrides) => ({
      ...visit.frame({ display }),
      action: `${base}/interaction/${uid}`,
      client: toClientView(client, details.params.redirect_uri),
      ...overrides,
    }),
    rights: { leadsAway: true },
    async finish(reply, result) {
      const address = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: true })
      return reply.code(303).header('location', address).send()
    },
  }
}

export const stepPath = (step: string) => `/${serviceName}/interaction/:uid${step}`
