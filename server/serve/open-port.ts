/** Where something is to listen. */
export interface Place {
  /** What listens there, for a person. */
  name: string
  host: string
  port: number
  /** The variable that changes the port. */
  setting: string
  /** The variable that changes the address; empty when none does. */
  hostSetting: string
}

/** A port that cannot be opened: one line for whoever starts the service, with the setting that changes it. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/**
 * Opens a port.
 *
 * @throws PortError when it is taken, or may not be opened; anything else as it is
 */
export async function openPort<Opened>(place: Place, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw error
    throw new PortError(reason(place), { cause: error })
  }
}

const REASONS: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ name, port, setting }) =>
    `Port ${port}, for the ${name}, is taken. Stop what listens there, or set ${setting} to another port.`,
  EACCES: ({ name, port, setting }) =>
    `Port ${port}, for the ${name}, may not be opened by this user. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: notAnAddress,
  ENOTFOUND: notAnAddress,
}

function notAnAddress({ name, host, hostSetting }: Place): string {
  const advice = hostSetting && ` Set ${hostSetting} to one, or to localhost.`
  return `For the ${name}: ${host} is not an address of this machine.${advice}`
}
