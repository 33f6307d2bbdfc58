import type { FastifyReply } from 'fastify'
import type { Client, InteractionResults, Provider } from 'oidc-provider'
import { serviceName } from '../../names.ts'
import type { Step } from '../../pages/views.ts'
import { toClientView } from '../client-view.ts'
import type { PageRights } from '../headers.ts'
import { displayOf, type Visit } from '../visit/visit.ts'
import { SignInOver } from './sign-in-over.ts'

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** A sign-in that is under way: what the client asked for, and who the person is so far. */
export interface Interaction {
  readonly visit: Visit
  readonly details: Details
  readonly client: Client
  step(more?: Partial<Step>): Step
  readonly rights: PageRights
  /** Tells the library the outcome of this step; it decides what comes next. */
  finish(reply: FastifyReply, result: InteractionResults): Promise<FastifyReply>
}

export async function interactionOf(visit: Visit, uid: string): Promise<Interaction> {
  const { provider, request, exchange, base } = visit
  const { response } = exchange
  const details = await provider.interactionDetails(request, response)
  // The cookie is the browser's proof; another tab may have started another sign-in since.
  if (details.uid !== uid) throw new SignInOver('another sign-in was started in this browser')
  const client = await provider.Client.find(String(details.params.client_id))
  if (!client) throw new SignInOver('the client is gone')
  const display = displayOf(details.params.display)
  return {
    visit,
    details,
    client,
    step: (more) => ({
      ...visit.frame({ display }),
      action: `${base}/interaction/${uid}`,
      client: toClientView(client, details.params.redirect_uri),
      ...more,
    }),
    rights: { leadsAway: true },
    async finish(reply, result) {
      const address = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: true })
      return reply.code(303).header('location', address).send()
    },
  }
}

export const stepPath = (step: string) => `/${serviceName}/interaction/:uid${step}`
