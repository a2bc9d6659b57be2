import { checkOftenResigned } from './signed/often.ts';
import { nsec3 } from './signed/world/world.ts';

checkOftenResigned(['BIND', 'ECDSAP256SHA256', nsec3()]);
