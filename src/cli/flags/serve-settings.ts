import type { TraversalOptions } from '../../options.ts';
import { parseRateLimit } from '../../service/clients/rate-limit-setting.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../service/settings.ts';
import { parseWebhookUrl, type WebhookReceiver } from '../../service/webhook/receiver.ts';
import { VERSION } from '../process/version.ts';
import type { ServeFlags } from './serve-flags.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings, and what is wrong with the environment they come from: a sentence each. */
export interface SettingsRead {
  readonly settings: ServiceSettings;
  readonly warnings: readonly string[];
}

/** The settings that flags and environment variables say, else the defaults. */
export function serviceSettings(
  flags: ServeFlags,
  env: Environment,
  options: TraversalOptions,
): SettingsRead {
  const usual = DEFAULT_SETTINGS;
  const { limit: rateLimit, origin } = parseRateLimit(env.SERVICE_RATE_LIMIT);
  const webhook = webhookFrom(env);
  const settings = {
    ...usual,
    ...flags.listen,
    version: VERSION,
    options,
    region: env.EDGE_REGION === '' ? undefined : env.EDGE_REGION,
    rateLimit,
    trustedHops: flags.trustedHops ?? usual.trustedHops,
    webhook: webhook === 'invalid' ? undefined : webhook,
    maxJobs: flags.maxJobs ?? usual.maxJobs,
    maxQueue: flags.maxQueue ?? usual.maxQueue,
    retainMs: flags.retain ?? usual.retainMs,
    maxRetained: flags.maxRetained ?? usual.maxRetained,
    maxRetainedBytes:
      flags.maxRetainedMib === undefined ? usual.maxRetainedBytes : flags.maxRetainedMib * 1024 * 1024,
    maxConnections: flags.maxConnections ?? usual.maxConnections,
    maxConnectionsPerClient: flags.maxConnectionsPerClient ?? usual.maxConnectionsPerClient,
    maxStreamsPerClient: flags.maxStreamsPerClient ?? usual.maxStreamsPerClient,
  };
  const warnings = [
    ...(origin === 'invalid' ? ['SERVICE_RATE_LIMIT is not N/duration: the default is used'] : []),
    ...(webhook === 'invalid'
      ? ['SERVICE_WEBHOOK_URL is not an http or https URL: no webhooks are sent']
      : []),
  ];
  return { settings, warnings };
}

function webhookFrom(env: Environment): WebhookReceiver | 'invalid' | undefined {
  const { SERVICE_WEBHOOK_URL: address = '', SERVICE_WEBHOOK_SECRET: secret = '' } = env;
  if (address === '') return undefined;
  const url = parseWebhookUrl(address);
  if (url === undefined) return 'invalid';
  return secret === '' ? { url } : { url, secret };
}
