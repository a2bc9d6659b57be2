/**
 * What the signed zone of RFC 5155 appendix A has, as far as its appendix B sends it: each RRset with its signature.
 */

/** When all of its signatures were valid. */
export const MOMENT = '20100101000000';

export const ZSK = `
example. 3600 DNSKEY 256 3 7 AwEAAaetidLzsKWUt4swWR8yu0wPHPiUi8LUsAD0QPWU+wzt89epO6tHzkMBVDkC7qphQO2hTY4hHn9npWFRw5BYubE=
`;

export const SOA = `
example. 3600 SOA ns1.example. bugs.x.w.example. 1 3600 300 3600000 3600
example. 3600 RRSIG SOA 7 1 3600 20150420235959 20051021000000 40430 example. Hu25UIyNPmvPIVBrldN+9Mlp9Zql39qaUd8iq4ZLlYWfUUbbAS41pG+68z81q1xhkYAcEyHdVI2LmKusbZsT0Q==
`;

export const NSEC3_0P9 = `
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example. 3600 NSEC3 1 1 12 aabbccdd 2t7b4g4vsa5smi47k61mv5bv1a22bojr NS SOA MX RRSIG DNSKEY NSEC3PARAM
0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. OSgWSm26B+cS+dDL8b5QrWr/dEWhtCsKlwKLIBHYH6blRxK9rC0bMJPwQ4mLIuw85H2EY762BOCXJZMnpuwhpA==
`;

export const NSEC3_B4U = `
b4um86eghhds6nea196smvmlo4ors995.example. 3600 NSEC3 1 1 12 aabbccdd gjeqe526plbf1g8mklp59enfd789njgi MX RRSIG
b4um86eghhds6nea196smvmlo4ors995.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. ZkPG3M32lmoHM6pa3D6gZFGB/rhL//Bs3Omh5u4m/CUiwtblEVOaAKKZd7S959OeiX43aLX3pOv0TSTyiTxIZg==
`;

export const NSEC3_35M = `
35mthgpgcu1qg68fab165klnsnk3dpvl.example. 3600 NSEC3 1 1 12 aabbccdd b4um86eghhds6nea196smvmlo4ors995 NS DS RRSIG
35mthgpgcu1qg68fab165klnsnk3dpvl.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. g6jPUUpduAJKRljUsN8gB4UagAX0NxY9shwQAynzo8EUWH+z6hEIBlUTPGj15eZll6VhQqgZXtAIR3chwgW+SA==
`;

export const NSEC3_2T7 = `
2t7b4g4vsa5smi47k61mv5bv1a22bojr.example. 3600 NSEC3 1 1 12 aabbccdd 2vptu5timamqttgl4luu9kg21e0aor3s A RRSIG
2t7b4g4vsa5smi47k61mv5bv1a22bojr.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. OmBvJ1Vgg1hCKMXHFiNeIYHK9XVW0iLDLwJN4TFoNxZuP03gAXEI634YwOc4YBNITrj413iqNI6mRk/r1dOSUw==
`;

export const NSEC3_JI6 = `
ji6neoaepv8b5o6k4ev33abha8ht9fgc.example. 3600 NSEC3 1 1 12 aabbccdd k8udemvp1j2f7eg6jebps17vp3n8i58h
ji6neoaepv8b5o6k4ev33abha8ht9fgc.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. gPkFp1s2QDQ6wQzcg1uSebZ61W33rUBDcTj72F3kQ490fEdp7k1BUIfbcZtPbX3YCpE+sIt0MpzVSKfTwx4uYA==
`;

export const NSEC3_Q04 = `
q04jkcevqvmu85r014c7dkba38o0ji5r.example. 3600 NSEC3 1 1 12 aabbccdd r53bq7cc2uvmubfu5ocmm6pers9tk9en A RRSIG
q04jkcevqvmu85r014c7dkba38o0ji5r.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. hV5I89b+4FHJDATp09g4bbN0R1F845CaXpL3ZxlMKimoPAyqletMlEWwLfFia7sdpSzn+ZlNNlkxWcLsIlMmUg==
`;

export const NSEC3_K8U = `
k8udemvp1j2f7eg6jebps17vp3n8i58h.example. 3600 NSEC3 1 1 12 aabbccdd kohar7mbb8dc2ce8a9qvl8hon4k53uhi
k8udemvp1j2f7eg6jebps17vp3n8i58h.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. FtXGbvF0+wf8iWkyo73enAuVx03klN+pILBKS6qCcftVtfH4yVzsEZquJ27NHR7ruxJWDNMtOtx7w9WfcIg62A==
`;

export const NSEC3_R53 = `
r53bq7cc2uvmubfu5ocmm6pers9tk9en.example. 3600 NSEC3 1 1 12 aabbccdd t644ebqk9bibcna874givr6joj62mlhv MX RRSIG
r53bq7cc2uvmubfu5ocmm6pers9tk9en.example. 3600 RRSIG NSEC3 7 2 3600 20150420235959 20051021000000 40430 example. aupviViruXs4bDg9rCbezzBMf9h1ZlDvbW/CZFKulIGXXLj8B/fsDJarXVDA9bnUoRhEbKp+HF1FWKW7RIJdtQ==
`;

export const MX_WILD = `
a.z.w.example. 3600 MX 1 ai.example.
a.z.w.example. 3600 RRSIG MX 7 2 3600 20150420235959 20051021000000 40430 example. CikebjQwGQPwijVcxgcZcSJKtfynugtlBiKb9FcBTrmOoyQ4InoWVudhCWsh/URX3lc4WRUMivEBP6+4KS3ldA==
`;
