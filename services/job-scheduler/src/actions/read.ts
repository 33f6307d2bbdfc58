import { invalid } from '@icosa/kernel'
import { canonical } from '../spelling/canonical.ts'
import { type Action, actionTypes, type SimpleAction } from './action.ts'
import type { ActionInput, SimpleActionInput } from './contract.ts'
import { readBusMessage, readQueueMessage } from './read-message.ts'
import { readRequest } from './read-request.ts'
import { readRetryPolicy } from './retry.ts'

/** Reads what a caller sent. What belongs to another type of action is left out. */
export function readAction(input: ActionInput, at: string): Action {
  const { errorAction } = input
  const main = readSimpleAction(input, at)
  const other = errorAction && readSimpleAction(errorAction, `${at}/errorAction`)
  return { ...main, ...(other && { errorAction: other }) }
}

function readSimpleAction(input: SimpleActionInput, at: string): SimpleAction {
  const policy = input.retryPolicy && readRetryPolicy(input.retryPolicy, `${at}/retryPolicy`)
  return { ...readByType(input, at), ...(policy && { retryPolicy: policy }) }
}

function readByType(input: SimpleActionInput, at: string): SimpleAction {
  const { request, queueMessage, serviceBusQueueMessage: queued, serviceBusTopicMessage: posted } = input
  const type = input.type === undefined ? needed(`${at}/type`) : canonical(actionTypes, input.type)
  switch (type) {
    case 'Http':
    case 'Https':
      return { type, request: readRequest(request ?? needed(`${at}/request`), type, `${at}/request`) }
    case 'StorageQueue':
      return {
        type,
        queueMessage: readQueueMessage(queueMessage ?? needed(`${at}/queueMessage`), `${at}/queueMessage`),
      }
    case 'ServiceBusQueue': {
      const here = `${at}/serviceBusQueueMessage`
      const message = readBusMessage(queued ?? needed(here), 'queueName', here)
      return { type, serviceBusQueueMessage: message }
    }
    case 'ServiceBusTopic': {
      const here = `${at}/serviceBusTopicMessage`
      return { type, serviceBusTopicMessage: readBusMessage(posted ?? needed(here), 'topicPath', here) }
    }
  }
}

function needed(at: string): never {
  invalid([{ at, message: 'is required' }])
}
