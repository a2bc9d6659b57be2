import { checkOftenResigned } from './signed/often.ts';
import { nsec3 } from './signed/world/world.ts';

checkOftenResigned(['PowerDNS', 'ED25519', nsec3()]);
